package io.holdfast.engine.logic;

import static io.holdfast.engine.logic.ShardRun.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.group.SubscribeRequest;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.MessageState;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.Position;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.task.TaskStatus;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.MessageId;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.Reply.PushedMessages.Run;
import io.holdfast.engine.query.Explain;
import io.holdfast.engine.query.Looks;
import io.holdfast.engine.query.StoredDead;
import io.holdfast.engine.verify.Invariants;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Partitions use the slots of dropped ones again, here after four partitions, and the ids, handles
 * and leases of those never reach them.
 */
class PartitionNumbersTest {
  private static final int SLOTS = 4;
  private static final String NAME = "n";

  private final ShardRun shard = new ShardRun(ShardRun.LIMITS.slotEnd(SLOTS + 1));

  @BeforeEach
  void keepNothing() {
    configure("q", QueueOption.COMPLETED_RETENTION, 0L, QueueOption.DEDUP_WINDOW, 0L);
  }

  private void configure(String queue, Object... options) {
    ConfigureRequest request = ConfigureRequest.queue(queue);
    for (int i = 0; i < options.length; i += 2) {
      request = request.set((QueueOption) options[i], options[i + 1]);
    }
    shard.apply(new Command.ConfigureQueue(request));
  }

  private Run push(NewMessage message) {
    Reply reply = shard.push(message);
    assertThat(reply).isInstanceOf(Reply.PushedMessages.class);
    return ((Reply.PushedMessages) reply).runs().getFirst();
  }

  private static UUID id(Run run) {
    return MessageId.uuid(run.createdMs(), run.partition(), run.firstSeq());
  }

  private void dropAll() {
    shard.pop(PopRequest.queue("q").batch(100).partitions(100).autoAck(true));
    shard.pass(70_000);
    assertThat(shard.state().partitionCount).isZero();
  }

  /** Makes and drops partitions until the next one gets the slot of an earlier one. */
  private void turnTo(Run earlier) {
    for (int i = 0; i < SLOTS - 1; i++) {
      push(message("x").partition("between " + i));
      dropAll();
    }
    shard.nowMs += 1;
    assertThat(earlier.partition()).isLessThan(shard.state().partitions.next);
  }

  /** Pushes a message that has the slot, the seq and the name of an earlier one. */
  private Run twinOf(Run earlier) {
    turnTo(earlier);
    Run twin = push(message("twin").partition("twin").transactionId(NAME));
    assertThat(MessageId.slot(twin.partition())).isEqualTo(MessageId.slot(earlier.partition()));
    assertThat(twin.firstSeq()).isEqualTo(earlier.firstSeq());
    assertThat(twin.partition()).isGreaterThan(earlier.partition());
    return twin;
  }

  private static void assertNotFound(Reply reply) {
    assertThat(reply)
        .isInstanceOfSatisfying(
            Reply.Refused.class,
            refused -> assertThat(refused.refusal().code()).isEqualTo(ErrorCode.NOT_FOUND));
  }

  private static Settle ack(Settle.Target target) {
    return new Settle(target, Settle.Outcome.ACK, null, Settle.QUEUE_DELAY, false);
  }

  private List<Status> settle(Settle... settles) {
    return shard.settle(settles).verdicts().stream().map(verdict -> verdict.status()).toList();
  }

  @Test
  void shouldUseSlotsInACircleAndNumbersOnce() {
    // when
    List<Long> numbers = new ArrayList<>();
    for (int i = 0; i < 5 * SLOTS; i++) {
      numbers.add(push(message("x").partition("p" + i)).partition());
      dropAll();
      if (i % 3 == 0) {
        shard.reopen();
      }
    }

    // then
    assertThat(numbers).isSorted().doesNotHaveDuplicates();
    for (int i = 0; i < numbers.size(); i++) {
      assertThat(MessageId.slot(numbers.get(i))).isEqualTo(1 + i % SLOTS);
    }
  }

  @Test
  void shouldLeaveOutSlotsOfLivePartitions() {
    // given
    Run lives = push(message("stays").partition("stays").delayMs(1_000_000_000));

    // when
    List<Integer> slots = new ArrayList<>();
    for (int i = 0; i < 2 * (SLOTS - 1); i++) {
      Run run = push(message("x").partition("p" + i));
      slots.add(MessageId.slot(run.partition()));
      shard.pop(PopRequest.queue("q").autoAck(true));
      shard.pass(70_000);
      shard.reopen();
    }

    // then
    assertThat(MessageId.slot(lives.partition())).isEqualTo(1);
    assertThat(slots).containsExactly(2, 3, 4, 2, 3, 4);
    assertThat(Explain.message(shard.view(), MessageRef.id(id(lives)))).isNotNull();
  }

  @Test
  void shouldRefuseMorePartitionsThanThereAreSlots() {
    // given
    for (int i = 0; i < SLOTS; i++) {
      push(message("x").partition("p" + i));
    }

    // when
    Reply reply = shard.push(message("x").partition("one too many"));

    // then
    assertThat(reply)
        .isInstanceOfSatisfying(
            Reply.Refused.class,
            refused -> {
              assertThat(refused.refusal().code()).isEqualTo(ErrorCode.LIMIT);
              assertThat(refused.refusal().detail()).contains("no numbers for more partitions");
            });
    assertThat(shard.push(message("x").partition("p0"))).isInstanceOf(Reply.PushedMessages.class);
  }

  @Test
  void shouldNotFindANewMessageByAnOldId() {
    // given
    Run old = push(message("old").transactionId(NAME));
    dropAll();
    Run twin = twinOf(old);
    MessageRef ref = MessageRef.id(id(old));

    // then
    assertThat(Explain.message(shard.view(), ref)).isNull();
    assertNotFound(shard.apply(new Command.CancelMessage(ref)));
    assertNotFound(shard.apply(new Command.RescheduleMessage(ref, shard.nowMs + 1_000)));
    assertThat(
            ((Reply.CommittedOperations)
                    shard.apply(
                        new Command.CommitOperations(
                            List.of(new Command.Part.Other(new Operation.CancelMessage(ref))),
                            null)))
                .committed()
                .steps()
                .toString())
        .contains("found=false");
    Reply.PoppedMessages popped = shard.pop(PopRequest.queue("q"));
    assertThat(settle(ack(new Settle.Target.Unfenced(PopRequest.QUEUE_MODE, ref))))
        .containsExactly(Status.NOT_FOUND);
    assertThat(ShardRun.payloads(popped)).containsExactly("twin");
    assertThat(
            Objects.requireNonNull(Explain.message(shard.view(), MessageRef.id(id(twin))))
                .groups()
                .getFirst()
                .state())
        .isEqualTo(MessageState.IN_FLIGHT);
  }

  @Test
  void shouldNotFindANewMessageByAnOldPartitionAndItsName() {
    // given
    Run old = push(message("old").transactionId(NAME));
    dropAll();
    twinOf(old);
    MessageRef ref = new MessageRef.InPartition(old.partition(), NAME);

    // then
    assertThat(Explain.message(shard.view(), ref)).isNull();
    assertNotFound(shard.apply(new Command.CancelMessage(ref)));
    assertThat(shard.state().partitionCount).isOne();
  }

  @Test
  void shouldRefuseOldHandlesAndLeases() {
    // given a lease of each
    Run old = push(message("old").transactionId(NAME));
    Reply.PoppedMessages held = shard.pop(PopRequest.queue("q").leaseMs(604_800_000));
    String oldLease = LeaseId.text(held.lease());
    Handle oldHandle = new Handle(oldLease, new Position(old.partition(), 0, old.firstSeq()));
    assertThat(settle(Settle.ack(oldHandle))).containsExactly(Status.ACKED);
    dropAll();
    Run twin = twinOf(old);
    Reply.PoppedMessages now = shard.pop(PopRequest.queue("q"));
    String newLease = LeaseId.text(now.lease());

    // then the old lease stays what it was, and the new one holds nothing of the old partition
    assertThat(
            settle(
                Settle.ack(oldHandle),
                Settle.ack(
                    new Handle(oldLease, new Position(twin.partition(), 0, twin.firstSeq()))),
                Settle.ack(new Handle(newLease, new Position(old.partition(), 0, old.firstSeq()))),
                ack(new Settle.Target.HeldByName(newLease, old.partition(), NAME)),
                ack(new Settle.Target.HeldByName(oldLease, twin.partition(), NAME))))
        .containsExactly(
            Status.ALREADY_SETTLED,
            Status.STALE_LEASE,
            Status.STALE_LEASE,
            Status.NOT_FOUND,
            Status.STALE_LEASE);
    assertThat(
            settle(
                Settle.ack(
                    new Handle(newLease, new Position(twin.partition(), 0, twin.firstSeq())))))
        .containsExactly(Status.ACKED);
  }

  @Test
  void shouldNotTouchDeadLettersOfANewPartitionByAnOldId() {
    // given
    Run old = push(message("old").transactionId(NAME));
    dropAll();
    Run twin = twinOf(old);
    Reply.PoppedMessages popped = shard.pop(PopRequest.queue("q"));
    Handle handle =
        new Handle(
            LeaseId.text(popped.lease()), new Position(twin.partition(), 0, twin.firstSeq()));
    assertThat(settle(Settle.kill(handle, "e"))).containsExactly(Status.DEAD);
    DeadLetterFilter filter = DeadLetterFilter.queue("q").message(id(old));

    // then
    assertThat(shard.apply(new Command.RequeueDead(filter, 0)))
        .isEqualTo(new Reply.ChangedPart(0, -1));
    assertThat(shard.apply(new Command.RemoveDead(filter, 0)))
        .isEqualTo(new Reply.ChangedPart(0, -1));
    assertNotFound(shard.apply(new Command.CancelMessage(MessageRef.id(id(old)))));
    Looks.Dead look = Objects.requireNonNull(Looks.dead(shard.view(), filter));
    assertThat(new StoredDead(shard.view().rows(), look).count(filter)).isZero();
    DeadLetterFilter right = DeadLetterFilter.queue("q").message(id(twin));
    Looks.Dead there = Objects.requireNonNull(Looks.dead(shard.view(), right));
    assertThat(new StoredDead(shard.view().rows(), there).count(right)).isOne();
  }

  @Test
  void shouldNotTellOfANewTaskByAnOldId() {
    // given
    configure("q", QueueOption.TRACK, true);
    Run old = push(message("old").transactionId(NAME));
    dropAll();
    Run twin = twinOf(old);

    // then
    assertThat(Looks.task(shard.view(), MessageRef.id(id(old)))).isNull();
    assertThat(Objects.requireNonNull(Looks.task(shard.view(), MessageRef.id(id(twin)))).status())
        .isEqualTo(TaskStatus.QUEUED);
  }

  @Test
  void shouldNotMeetWhatADeletedQueueHadPlannedInANewPartition() {
    // given a queue that is deleted with names in their window, delayed messages and tasks
    configure("r", QueueOption.TRACK, true, QueueOption.COMPLETED_RETENTION, 0L);
    List<Run> old = new ArrayList<>();
    for (int i = 0; i < SLOTS; i++) {
      NewMessage to = NewMessage.to("r", new byte[1]).partition("p" + i);
      old.add(push(to.transactionId(NAME).delayMs(300_000)));
      push(to.transactionId("m"));
    }
    shard.pop(PopRequest.queue("r").batch(100).partitions(100).autoAck(true));
    shard.pass(1_000);
    shard.apply(new Command.DeleteQueue("r"));

    // when partitions with the same slots hold the like, not due for long
    for (int i = 0; i < SLOTS; i++) {
      NewMessage to = message("new").partition("p" + i).transactionId(NAME);
      Run run = push(to.delayMs(30_000_000));
      assertThat(MessageId.slot(run.partition())).isEqualTo(MessageId.slot(old.get(i).partition()));
    }
    for (int i = 0; i < 100; i++) {
      shard.pass(100_000);
    }

    // then
    assertThat(shard.queue("q").delayed).isEqualTo(SLOTS);
    assertThat(Invariants.check(shard.view().rows()).violations()).isEmpty();
  }

  @Test
  void shouldKeepTheStartOfAGroupWhenSlotsAreUsedAgain() {
    // given a group that begins later on partitions that come next
    shard.pop(PopRequest.queue("q").group("g"));
    for (int i = 0; i < SLOTS - 1; i++) {
      push(message("x").partition("p" + i));
      shard.pop(PopRequest.queue("q").group("g").autoAck(true));
      shard.pass(70_000);
    }
    push(message("before").partition("before").delayMs(5_000));
    shard.apply(
        new Command.SubscribeGroup(
            new SubscribeRequest("q", "g", new StartFrom.Time(shard.nowMs + 50_000))));

    // when one comes, with a lower slot than the one before
    Run after = push(message("after").partition("after").delayMs(5_000));
    shard.pass(6_000);

    // then
    assertThat(MessageId.slot(after.partition())).isEqualTo(1);
    assertThat(
            ShardRun.payloads(shard.pop(PopRequest.queue("q").group("g").batch(9).partitions(9))))
        .containsExactly("before");
  }

  @Test
  void shouldNotKnowIdsOfOtherShards() {
    // given
    Run run = push(message("x"));
    MessageId here = MessageId.of(id(run));
    MessageId elsewhere = new MessageId(here.createdMs(), 1, here.slot(), here.seq());
    Reply.PoppedMessages popped = shard.pop(PopRequest.queue("q"));
    String lease = LeaseId.text(popped.lease() | (1L << 57));

    // then
    assertThat(Explain.message(shard.view(), MessageRef.id(here.uuid()))).isNotNull();
    assertThat(Explain.message(shard.view(), MessageRef.id(elsewhere.uuid()))).isNull();
    assertNotFound(shard.apply(new Command.CancelMessage(MessageRef.id(elsewhere.uuid()))));
    assertThat(LeaseId.shard(LeaseId.number(lease))).isOne();
    assertThat(
            settle(Settle.ack(new Handle(lease, new Position(run.partition(), 0, run.firstSeq())))))
        .containsExactly(Status.STALE_LEASE);
  }
}
