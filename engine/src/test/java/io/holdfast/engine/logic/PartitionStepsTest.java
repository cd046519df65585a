package io.holdfast.engine.logic;

import static io.holdfast.engine.logic.ShardRun.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.group.StartFrom;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Command.Tick.SweepFrom;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.Reply;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No command touches all partitions of a queue; the rest follows, also after a restart. */
@Tag("slow")
final class PartitionStepsTest {
  private static final int PARTITIONS = 5_000;

  /** A command may write an index row for each row that its budget counts. */
  private static final int ROWS_MAX = 2 * 1_000 + 100;

  private final ShardRun shard = new ShardRun();

  private void fill() {
    for (int from = 0; from < PARTITIONS; from += 1_000) {
      shard.push(
          IntStream.range(from, from + 1_000)
              .mapToObj(i -> message("m" + i).partition("p" + i))
              .toArray(NewMessage[]::new));
    }
  }

  private void assertBounded() {
    assertThat(shard.rowsOfBatch).as("rows of one command").isLessThan(ROWS_MAX);
  }

  private void configure(QueueOption option, Object value) {
    shard.apply(new Command.ConfigureQueue(ConfigureRequest.queue("q").set(option, value)));
  }

  /** Pops until nothing is left, with a restart after each; answers what was brought. */
  private Set<String> popAll(PopRequest request) {
    Set<String> payloads = new HashSet<>();
    Reply.PoppedMessages popped;
    do {
      popped = shard.pop(request.batch(200).partitions(200));
      assertBounded();
      payloads.addAll(ShardRun.payloads(popped));
      shard.reopen();
    } while (popped.more());
    return payloads;
  }

  private long current() {
    return shard.queue("q").partitions.values().stream().filter(Partition::isCurrent).count();
  }

  private int tickUntilDone() {
    int ticks = 0;
    boolean again = true;
    while (again) {
      again = ((Reply.Ticked) shard.apply(new Command.Tick(SweepFrom.START))).again();
      assertBounded();
      shard.reopen();
      ticks++;
    }
    return ticks;
  }

  @Test
  void shouldJoinABoundedNumberOfPartitionsAtTheFirstPopOfAGroup() {
    fill();

    shard.pop(PopRequest.queue("q").group("g"));

    assertBounded();
    assertThat(current()).isBetween(1L, PARTITIONS - 1L);
    Set<String> payloads = popAll(PopRequest.queue("q").group("g"));
    assertThat(payloads).hasSize(PARTITIONS - 1);
    assertThat(current()).isEqualTo(PARTITIONS);
  }

  @Test
  void shouldBeginWithWhatIsNewAlsoOnPartitionsThatItJoinsLater() {
    // given a group that has not joined all partitions
    fill();
    shard.pop(PopRequest.queue("q").group("g").start(StartFrom.NEW));
    assertThat(current()).isLessThan(PARTITIONS);
    String last = shard.queue("q").partitions.lastKey();
    shard.reopen();

    // when something is pushed to one of the others
    shard.push(message("fresh").partition(last));
    shard.reopen();

    // then the group gets that and nothing else
    assertThat(popAll(PopRequest.queue("q").group("g"))).containsExactly("fresh");
  }

  @Test
  void shouldJoinTheOtherPartitionsWithTicksAlone() {
    fill();
    shard.pop(PopRequest.queue("q").group("g"));

    tickUntilDone();

    assertThat(current()).isEqualTo(PARTITIONS);
    assertThat(shard.queue("q").groups.getFirst().lag()).isEqualTo(PARTITIONS);
  }

  @Test
  void shouldDeleteAGroupInBoundedSteps() {
    // given a group that holds a lease on each partition
    configure(QueueOption.COMPLETED_RETENTION, 0L);
    fill();
    popAll(PopRequest.queue("q").group("g"));
    popAll(PopRequest.queue("q").group("h").autoAck(true));
    Lease lease = shard.queue("q").groups.getFirst().leases.firstEntry().getValue();

    // when
    var deleted = (Reply.ChangedPart) shard.apply(new Command.DeleteGroup("q", "g", 0));

    // then nothing is left of it, for anybody
    assertBounded();
    assertThat(deleted).isEqualTo(new Reply.ChangedPart(PARTITIONS, -1));
    assertThat(shard.queue("q").groups).extracting(group -> group.name).containsExactly("h");
    Settle settle = Settle.ackAll(LeaseId.text(lease.id));
    assertThat(shard.settle(settle).verdicts())
        .extracting(SettleVerdict::status)
        .containsExactly(SettleVerdict.Status.STALE_LEASE);
    shard.reopen();
    tickUntilDone();
    assertThat(shard.state().leases).isEmpty();
    assertThat(shard.queue("q").stored).as("what only it had still to settle").isZero();
    assertThat(popAll(PopRequest.queue("q").group("g"))).isEmpty();
  }

  @Test
  void shouldChangeTheDeliveryInBoundedSteps() {
    // given a lease on each partition, which locks it
    fill();
    popAll(PopRequest.queue("q"));
    for (int from = 0; from < PARTITIONS; from += 1_000) {
      shard.push(
          IntStream.range(from, from + 1_000)
              .mapToObj(i -> message("n" + i).partition("p" + i))
              .toArray(NewMessage[]::new));
    }
    assertThat(popAll(PopRequest.queue("q"))).isEmpty();

    // when
    configure(QueueOption.DELIVERY, "shared");

    // then
    assertBounded();
    assertThat(popAll(PopRequest.queue("q"))).hasSize(PARTITIONS);
  }

  @Test
  void shouldDeleteAQueueInBoundedSteps() {
    // given
    fill();
    popAll(PopRequest.queue("q"));
    Lease lease = shard.queue("q").groups.getFirst().leases.lastEntry().getValue();

    // when
    shard.apply(new Command.DeleteQueue("q"));

    // then its name is free at once
    assertBounded();
    assertThat(shard.state().partitionCount).isZero();
    assertThat(shard.state().storedBytes).isZero();
    assertThat(shard.settle(Settle.ackAll(LeaseId.text(lease.id))).verdicts())
        .extracting(SettleVerdict::status)
        .containsExactly(SettleVerdict.Status.STALE_LEASE);
    shard.push(message("again").partition("p1"));
    assertThat(ShardRun.payloads(shard.pop(PopRequest.queue("q")))).containsExactly("again");
    tickUntilDone();
    assertThat(shard.state().leases).hasSize(1);
    assertThat(shard.state().partitionCount).isEqualTo(1);
  }

  @Test
  void shouldSweepAgainAtOnceWhileManyPartitionsHaveSomethingToDo() {
    configure(QueueOption.COMPLETED_RETENTION, 0L);
    configure(QueueOption.DEDUP_WINDOW, 0L);
    fill();
    popAll(PopRequest.queue("q").autoAck(true));
    shard.nowMs += 100_000;

    int ticks = tickUntilDone();

    assertThat(shard.state().partitionCount).isZero();
    assertThat(ticks).isBetween(2, PARTITIONS / 10);
  }
}
