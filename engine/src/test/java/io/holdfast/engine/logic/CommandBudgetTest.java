package io.holdfast.engine.logic;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.Position;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Command.Tick.SweepFrom;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.Reply;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * No command does more than its budget allows, whatever waits for it; the commands after it do the
 * rest, also after a restart.
 */
final class CommandBudgetTest {
  private static final int MESSAGES = 20;
  private static final int PAYLOAD_BYTES = 1 << 20;

  /** Each of several loops may end with one message more than the budget has room for. */
  private static final long BYTES_MAX = (4L << 20) + 3 * (PAYLOAD_BYTES + 1_000);

  private static final int ROWS_MAX = 1_000 + 50;

  private final ShardRun shard = new ShardRun();

  private void configure(String queue, QueueOption option, long seconds) {
    shard.apply(new Command.ConfigureQueue(ConfigureRequest.queue(queue).set(option, seconds)));
  }

  private static NewMessage large(String queue) {
    return NewMessage.to(queue, new byte[PAYLOAD_BYTES]);
  }

  private void pushLarge(String queue) {
    for (int i = 0; i < MESSAGES; i++) {
      shard.push(large(queue));
    }
  }

  private static Settle kill(Reply.PoppedMessages popped) {
    return new Settle(
        new Settle.Target.WholeLease(LeaseId.text(popped.lease())),
        Settle.Outcome.KILL,
        "no",
        Settle.QUEUE_DELAY,
        false);
  }

  /** Makes messages of a queue dead letters, one by one. */
  private void killLarge(String queue) {
    pushLarge(queue);
    for (int i = 0; i < MESSAGES; i++) {
      shard.settle(kill(shard.pop(PopRequest.queue(queue))));
    }
  }

  private void assertBounded() {
    assertThat(shard.bytesWritten).as("bytes of one command").isLessThan(BYTES_MAX);
    assertThat(shard.rowsWritten).as("rows of one command").isLessThan(ROWS_MAX);
  }

  /** Ticks, with a restart after each, until nothing more is due; answers how often. */
  private int tickUntilDone(boolean sweep) {
    int ticks = 0;
    boolean again = true;
    while (again) {
      again =
          ((Reply.Ticked) shard.apply(new Command.Tick(sweep ? SweepFrom.START : null))).again();
      assertBounded();
      shard.reopen();
      ticks++;
    }
    return ticks;
  }

  /** Does a command in steps, with a restart after each; answers the largest step. */
  private long step(LongFunction<Command> command) {
    long most = 0;
    long next = 0;
    while (next >= 0) {
      var part = (Reply.ChangedPart) shard.apply(command.apply(next));
      assertBounded();
      shard.reopen();
      most = Math.max(most, part.count());
      next = part.next();
    }
    return most;
  }

  private long dead(String queue) {
    return shard.queue(queue).groups.stream().mapToLong(group -> group.dead).sum();
  }

  @Test
  void shouldLetABoundedPartOfDueMessagesEnterWithEachCommand() {
    for (int i = 0; i < MESSAGES; i++) {
      shard.push(large("q").delayMs(1_000));
    }
    shard.nowMs += 1_000;

    shard.pop(PopRequest.queue("other"));
    assertBounded();
    int ticks = tickUntilDone(false);

    assertThat(ticks).isGreaterThan(1);
    assertThat(shard.queue("q").delayed).isZero();
    assertThat(shard.queue("q").stored).isEqualTo(MESSAGES);
  }

  @Test
  void shouldLetManySmallDueMessagesEnterInSeveralSteps() {
    int count = 5_000;
    shard.push(
        IntStream.range(0, count)
            .mapToObj(i -> ShardRun.message("m").delayMs(1_000))
            .toArray(NewMessage[]::new));
    shard.nowMs += 1_000;

    int ticks = tickUntilDone(false);

    assertThat(ticks).isGreaterThan(1);
    assertThat(shard.queue("q").stored).isEqualTo(count);
  }

  @Test
  void shouldRequeueABoundedPart() {
    killLarge("q");

    step(after -> new Command.RequeueDead(DeadLetterFilter.queue("q"), after));

    assertThat(dead("q")).isZero();
    assertThat(shard.queue("q").groups.getFirst().returned).isEqualTo(MESSAGES);
  }

  @Test
  void shouldReadABoundedPartOfTheDeadLettersItRemoves() {
    killLarge("q");

    long most = step(after -> new Command.RemoveDead(DeadLetterFilter.queue("q"), after));

    assertThat(most * PAYLOAD_BYTES).isLessThan(BYTES_MAX);
    assertThat(dead("q")).isZero();
  }

  @Test
  void shouldReadABoundedPartOfTheDeadLettersOfADeletedGroup() {
    killLarge("q");
    long before = dead("q");

    shard.apply(new Command.DeleteGroup("q", PopRequest.QUEUE_MODE, 0));

    assertThat((before - dead("q")) * PAYLOAD_BYTES).isLessThan(BYTES_MAX);
    step(after -> new Command.DeleteGroup("q", PopRequest.QUEUE_MODE, after));
    assertThat(shard.queue("q").groups).isEmpty();
  }

  @Test
  void shouldTrimABoundedPartOfTheDeadLettersOfAllQueues() {
    // given
    List<String> queues = List.of("a", "b", "c");
    for (String queue : queues) {
      configure(queue, QueueOption.DEAD_RETENTION, 100);
      killLarge(queue);
    }
    shard.nowMs += 200_000;
    long total = 3L * MESSAGES;
    boolean[] turn = new boolean[3];

    // when
    while (total > 0) {
      shard.reopen();
      shard.sweep();
      long left = queues.stream().mapToLong(this::dead).sum();

      // then each tick removes a few, of each queue in its turn
      assertThat(left).isLessThan(total);
      assertThat((total - left) * PAYLOAD_BYTES).isLessThan(BYTES_MAX);
      for (int i = 0; i < 3 && total > 40; i++) {
        turn[i] |= dead(queues.get(i)) < MESSAGES;
      }
      total = left;
    }
    assertThat(turn).containsExactly(true, true, true);
  }

  @Test
  void shouldBuryABoundedPartInASweep() {
    configure("q", QueueOption.MAX_WAIT_TIME, 100);
    shard.pop(PopRequest.queue("q"));
    pushLarge("q");
    shard.nowMs += 200_000;

    int ticks = tickUntilDone(true);

    assertThat(ticks).isGreaterThan(1);
    assertThat(dead("q")).isEqualTo(MESSAGES);
    assertThat(shard.queue("q").groups.getFirst().waiting).isZero();
  }

  @Test
  void shouldBuryABoundedPartOfAChunkInASweep() {
    configure("q", QueueOption.MAX_WAIT_TIME, 100);
    shard.pop(PopRequest.queue("q"));
    int count = 5_000;
    shard.push(
        IntStream.range(0, count).mapToObj(i -> ShardRun.message("m")).toArray(NewMessage[]::new));
    shard.nowMs += 200_000;

    tickUntilDone(true);

    assertThat(dead("q")).isEqualTo(count);
    assertThat(shard.queue("q").groups.getFirst().waiting).isZero();
  }

  @Test
  void shouldBuryABoundedPartInAPop() {
    // given
    configure("q", QueueOption.MAX_WAIT_TIME, 100);
    shard.pop(PopRequest.queue("q"));
    pushLarge("q");
    shard.nowMs += 200_000;
    shard.push(ShardRun.message("fresh"));

    // when
    int pops = 0;
    Reply.PoppedMessages popped;
    do {
      popped = shard.pop(PopRequest.queue("q").batch(100));
      assertBounded();
      shard.reopen();
      pops++;
    } while (popped.messages().isEmpty() && popped.more());

    // then
    assertThat(pops).isGreaterThan(1);
    assertThat(ShardRun.payloads(popped)).containsExactly("fresh");
    assertThat(dead("q")).isEqualTo(MESSAGES);
  }

  @Test
  void shouldReadABoundedPartOfWhatAPopPassesBecauseItIsTooOld() {
    configure("q", QueueOption.TTL, 100);
    shard.pop(PopRequest.queue("q"));
    pushLarge("q");
    shard.nowMs += 200_000;

    Reply.PoppedMessages popped = shard.pop(PopRequest.queue("q"));

    assertThat(popped.more()).isTrue();
    long passed = MESSAGES - shard.queue("q").groups.getFirst().waiting;
    assertThat(passed * PAYLOAD_BYTES).isLessThan(BYTES_MAX);
  }

  @Test
  void shouldNotCopyRequeuedMessagesWhenTheirLeasesExpire() {
    // given
    configure("q", QueueOption.LEASE_TIME, 10);
    killLarge("q");
    step(after -> new Command.RequeueDead(DeadLetterFilter.queue("q"), after));
    Reply.PoppedMessages popped = shard.pop(PopRequest.queue("q").batch(100));
    while (!popped.messages().isEmpty()) {
      popped = shard.pop(PopRequest.queue("q").batch(100).joinLease(LeaseId.text(popped.lease())));
    }
    assertThat(shard.queue("q").groups.getFirst().inFlight).isEqualTo(MESSAGES);

    // when
    shard.nowMs += 20_000;
    shard.apply(new Command.Tick(null));

    // then
    assertThat(shard.bytesWritten).isLessThan(PAYLOAD_BYTES);
    assertThat(shard.queue("q").groups.getFirst().returned).isEqualTo(MESSAGES);
    shard.reopen();
    assertThat(shard.pop(PopRequest.queue("q")).messages())
        .allSatisfy(
            taken -> assertThat(taken.chunk().payload(taken.offset())).hasSize(PAYLOAD_BYTES));
  }

  @Test
  void shouldExpireALeaseInStepsThatItsHolderDoesNotNotice() {
    // given a lease with many messages, of which the first is settled
    int count = 9_000;
    shard.push(
        IntStream.range(0, count).mapToObj(i -> ShardRun.message("m")).toArray(NewMessage[]::new));
    Reply.PoppedMessages popped = shard.pop(PopRequest.queue("q").batch(count));
    Settle first = ack(popped, 0);
    Settle second = ack(popped, 1);
    Settle last = ack(popped, count - 1);
    shard.settle(first);

    // when its time is over
    shard.nowMs = popped.leaseUntilMs();
    List<SettleVerdict> verdicts = shard.settle(first, second, last).verdicts();

    // then a part of it has come back, and nothing of it can be settled
    assertBounded();
    Group group = shard.queue("q").groups.getFirst();
    assertThat(group.returned).isBetween(1L, count - 2L);
    assertThat(verdicts)
        .extracting(SettleVerdict::status)
        .containsExactly(
            SettleVerdict.Status.ALREADY_SETTLED,
            SettleVerdict.Status.STALE_LEASE,
            SettleVerdict.Status.STALE_LEASE);
    assertThat(shard.pop(PopRequest.queue("q")).messages()).isEmpty();
    assertThat(tickUntilDone(false)).isGreaterThan(1);
    assertThat(shard.queue("q").groups.getFirst().returned).isEqualTo(count - 1);
    assertThat(shard.settle(first, second, last).verdicts()).isEqualTo(verdicts);
  }

  private static Settle ack(Reply.PoppedMessages popped, int message) {
    Reply.Taken taken = popped.messages().get(message);
    Position at = new Position(taken.partitionId(), taken.lane(), taken.seq());
    return Settle.ack(new Handle(LeaseId.text(popped.lease()), at));
  }

  @Test
  void shouldPurgeABoundedPartOfTheDelayedMessages() {
    for (int i = 0; i < MESSAGES; i++) {
      shard.push(large("q").delayMs(1_000_000));
    }

    var part = (Reply.PurgedPart) shard.apply(new Command.PurgeQueue("q", null, null));

    assertThat(part.next()).isNotNull();
    assertThat(part.count() * PAYLOAD_BYTES).isLessThan(BYTES_MAX);
  }

  @Test
  void shouldTrimABoundedPartOfMessagesThatHaveNames() {
    configure("q", QueueOption.COMPLETED_RETENTION, 0);
    configure("q", QueueOption.DEDUP_WINDOW, 0);
    for (int i = 0; i < MESSAGES; i++) {
      shard.push(large("q").transactionId("n" + i));
      shard.pop(PopRequest.queue("q").autoAck(true));
    }
    shard.nowMs += 1_000;

    shard.sweep();

    long freed = MESSAGES - shard.queue("q").stored;
    assertThat(freed * PAYLOAD_BYTES).isBetween(1L, BYTES_MAX);
    tickUntilDone(true);
    assertThat(shard.queue("q").stored).isZero();
  }
}
