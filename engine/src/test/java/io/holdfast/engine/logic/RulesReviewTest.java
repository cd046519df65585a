package io.holdfast.engine.logic;

import static io.holdfast.engine.logic.ShardRun.message;
import static io.holdfast.engine.logic.ShardRun.payloads;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.group.SeekRequest;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.Position;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Effect;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.MessageId;
import io.holdfast.engine.command.Packed;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.ShardLimits;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.verify.Invariants;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rules at the places where two of them meet. */
final class RulesReviewTest {
  private final ShardRun shard = new ShardRun();

  private void configure(QueueOption option, Object value) {
    shard.apply(new Command.ConfigureQueue(ConfigureRequest.queue("q").set(option, value)));
  }

  private static Settle kill(Reply.PoppedMessages popped) {
    return new Settle(
        new Settle.Target.WholeLease(LeaseId.text(popped.lease())),
        Settle.Outcome.KILL,
        "no",
        Settle.QUEUE_DELAY,
        false);
  }

  private static Handle handle(Reply.PoppedMessages popped, int i) {
    Reply.Taken taken = popped.messages().get(i);
    return new Handle(
        LeaseId.text(popped.lease()), new Position(taken.partitionId(), taken.lane(), taken.seq()));
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void shouldKeepTurnsWhenALeaseOfASharedQueueIsJoined() {
    // given a group with several partitions that have work, and a lease on one of them
    configure(QueueOption.DELIVERY, "shared");
    for (String partition : List.of("a", "b", "c", "d")) {
      for (int i = 0; i < 3; i++) {
        shard.push(message(partition + i).partition(partition));
      }
    }
    String lease = LeaseId.text(shard.pop(PopRequest.queue("q")).lease());
    for (int i = 0; i < 3; i++) {
      shard.pop(PopRequest.queue("q"));
    }

    // when more joins that lease, and others pop until nothing is left
    shard.pop(PopRequest.queue("q").joinLease(lease).batch(1));
    int left = 0;
    for (int i = 0; i < 12; i++) {
      left += shard.pop(PopRequest.queue("q").batch(10)).messages().size();
    }

    // then everything was handed out once, and no subscription is left in its turn
    assertThat(left).isEqualTo(7);
    assertThat(shard.queue("q").groups.getFirst().ready).isEmpty();
  }

  @Test
  void shouldKeepAPartitionThatALiveLeaseNamesButDropItAfterwards() {
    // given a lease over two partitions, all of one of them settled
    configure(QueueOption.COMPLETED_RETENTION, 0);
    shard.push(message("a").partition("a"), message("b").partition("b"));
    Reply.PoppedMessages wide =
        shard.pop(PopRequest.queue("q").batch(2).partitions(2).leaseMs(10_000_000));
    Settle first = Settle.ack(handle(wide, 0));
    shard.settle(first);

    // when that partition is swept, and the shard is opened again
    shard.pass(4_000_000);
    shard.reopen();
    shard.pass(1_000);

    // then the lease still knows what it settled there
    assertThat(shard.queue("q").partitions).containsOnlyKeys("a", "b");
    assertThat(shard.settle(first).verdicts())
        .extracting(SettleVerdict::status)
        .containsExactly(SettleVerdict.Status.ALREADY_SETTLED);

    // and when it is over, nothing keeps the partitions
    shard.settle(Settle.ack(handle(wide, 1)));
    shard.pass(1_000);
    assertThat(shard.queue("q").partitions).isEmpty();
  }

  @Test
  void shouldNotSayThatTheLimitHoldsBackWhatWasCancelled() {
    // given a group that may hold no more, with one message cancelled and one waiting behind it
    configure(QueueOption.DELIVERY, "shared");
    configure(QueueOption.MAX_IN_FLIGHT, 1);
    shard.push(message("a"));
    shard.pop(PopRequest.queue("q"));
    shard.push(message("b").transactionId("b"));
    shard.push(message("c").transactionId("c"));

    // when the one at the head is cancelled, and then the other
    MessageRef head = MessageRef.named("q", "Default", "b");
    MessageRef other = MessageRef.named("q", "Default", "c");
    shard.apply(new Command.CancelMessage(head));
    Popped.Reason before = shard.pop(PopRequest.queue("q")).reason();
    shard.apply(new Command.CancelMessage(other));

    // then only what still waits is held back
    assertThat(before).isEqualTo(Popped.Reason.IN_FLIGHT_LIMIT);
    assertThat(shard.pop(PopRequest.queue("q")).reason()).isEqualTo(Popped.Reason.EMPTY);
    assertThat(shard.pop(PopRequest.partition("q", "Default")).reason())
        .isEqualTo(Popped.Reason.EMPTY);
  }

  @Test
  void shouldDeliverWhatWasRescheduledAheadOfAGroupThatMayHoldNoMore() {
    // given a group at its limit, and a message ahead of it that another group holds
    configure(QueueOption.DELIVERY, "shared");
    configure(QueueOption.MAX_IN_FLIGHT, 2);
    shard.push(message("a"), message("b").transactionId("b"), message("c"));
    shard.pop(PopRequest.queue("q").group("g"));
    shard.pop(PopRequest.queue("q").group("h").batch(2));

    // when that message is rescheduled, which makes it come back to both
    MessageRef ahead = MessageRef.named("q", "Default", "b");
    shard.apply(new Command.RescheduleMessage(ahead, shard.nowMs));

    // then the limit does not hold it back
    assertThat(payloads(shard.pop(PopRequest.queue("q").group("g").batch(5)))).containsExactly("b");
    assertThat(shard.pop(PopRequest.queue("q").group("g")).reason())
        .isEqualTo(Popped.Reason.IN_FLIGHT_LIMIT);
  }

  @Test
  void shouldKeepARequeuedMessageWhenItsPurgedLaneIsTrimmed() {
    // given a dead letter whose queue was purged, requeued before the lane is trimmed
    shard.push(message("a"));
    shard.settle(kill(shard.pop(PopRequest.queue("q"))));
    shard.apply(new Command.PurgeQueue("q", null, null));
    shard.apply(new Command.RequeueDead(DeadLetterFilter.queue("q"), 0));

    // when the lane is trimmed
    shard.pass(1_000);

    // then it is still delivered
    assertThat(payloads(shard.pop(PopRequest.queue("q")))).containsExactly("a");
    assertThat(shard.queue("q").groups.getFirst().lag()).isEqualTo(1);
  }

  @Test
  void shouldTrimBehindARequeuedMessageWhoseChunkIsGone() {
    // given a requeued message that waits, though its lane was trimmed past it
    configure(QueueOption.ON_FAILURE, "skip");
    shard.push(message("a"));
    shard.settle(kill(shard.pop(PopRequest.queue("q"))));
    shard.pass(4_000_000);
    shard.apply(new Command.RequeueDead(DeadLetterFilter.queue("q"), 0));
    Reply.PoppedMessages again = shard.pop(PopRequest.queue("q"));
    shard.settle(
        new Settle(
            new Settle.Target.WholeLease(LeaseId.text(again.lease())),
            Settle.Outcome.RELEASE,
            null,
            100_000_000,
            false));

    // when others come and go
    shard.push(message("b"));
    Reply.PoppedMessages other = shard.pop(PopRequest.queue("q"));
    assertThat(payloads(other)).containsExactly("b");
    shard.settle(Settle.ackAll(LeaseId.text(other.lease())));
    shard.pass(4_000_000);

    // then those are trimmed, and it is not
    assertThat(shard.queue("q").stored).isZero();
    shard.pass(100_000_000);
    assertThat(payloads(shard.pop(PopRequest.queue("q")))).containsExactly("a");
  }

  @Test
  void shouldRememberANameThatWasTakenAgainAfterAPurge() {
    // given a name that is free again because its message was purged, and is used again
    configure(QueueOption.DEDUP_WINDOW, 0);
    shard.push(message("a").transactionId("n"));
    shard.apply(new Command.PurgeQueue("q", null, null));
    shard.nowMs += 1;
    shard.push(message("b").transactionId("n"));

    // when the purged message is trimmed
    shard.pass(1_000);

    // then the name still stands for the message that is stored
    Reply.PushedMessages again = (Reply.PushedMessages) shard.push(message("c").transactionId("n"));
    assertThat(again.duplicates()).hasSize(1);
  }

  @Test
  void shouldRememberANameThatWasTakenAgainAfterADeadMessageWasCancelled() {
    // given a name that is free again because its dead message was cancelled, and is used again
    configure(QueueOption.DEDUP_WINDOW, 1);
    configure(QueueOption.COMPLETED_RETENTION, 10);
    shard.push(message("a").transactionId("n"));
    shard.settle(kill(shard.pop(PopRequest.queue("q"))));
    shard.apply(new Command.CancelMessage(MessageRef.named("q", "Default", "n")));
    shard.nowMs += 5_000;
    shard.push(message("b").transactionId("n"));

    // when the cancelled message is trimmed
    shard.pass(6_000);

    // then the name still stands for the message that is stored
    Reply.PushedMessages again = (Reply.PushedMessages) shard.push(message("c").transactionId("n"));
    assertThat(again.duplicates()).hasSize(1);
  }

  @Test
  void shouldForgetWhereACancelledMessageOnceDelayedWent() {
    // given a message that was delayed, entered its lane, and was cancelled there
    Reply.PushedMessages pushed = (Reply.PushedMessages) shard.push(message("a").delayMs(1_000));
    Reply.PushedMessages.Run run = pushed.runs().getFirst();
    shard.pass(2_000);
    int queue = shard.queue("q").number;
    byte[] moved = Tables.moved(queue, run.partition(), run.firstSeq());
    assertThat(shard.row(moved)).isNotEmpty();
    UUID id = MessageId.uuid(run.createdMs(), run.partition(), run.firstSeq());

    // when it is cancelled
    shard.apply(new Command.CancelMessage(MessageRef.id(id)));

    // then no row is left of it
    assertThat(shard.row(moved)).isEmpty();
  }

  @Test
  void shouldRefuseAPushOfMoreLanesThanAPartitionMayHave() {
    NewMessage[] messages = new NewMessage[300];
    for (int i = 0; i < messages.length; i++) {
      messages[i] = message("m").lane(i);
    }

    Reply reply = shard.push(messages);

    assertThat(reply).isInstanceOf(Reply.Refused.class);
    assertThat(((Reply.Refused) reply).refusal().code()).isEqualTo(ErrorCode.LIMIT);
    assertThat(shard.state().queues).isEmpty();
  }

  @Test
  void shouldKeepDelayedMessagesFromOpeningMoreLanesThanAPartitionMayHave() {
    // given delayed messages of many lanes
    for (int i = 0; i < 300; i++) {
      shard.push(message("m" + i).lane(i).delayMs(1_000));
    }

    // when they are due
    shard.pass(2_000);
    while (shard.state().nextDueMs() <= shard.nowMs) {
      shard.pass(1);
    }

    // then the partition has as many lanes as it may, and all of them are delivered
    assertThat(shard.queue("q").partitions.firstEntry().getValue().lanes)
        .hasSizeLessThanOrEqualTo(LogicLimits.LANES_MAX);
    assertThat(shard.pop(PopRequest.queue("q").batch(1_000)).messages()).hasSize(300);
  }

  @Test
  void shouldRefuseACommitThatMakesMoreQueuesThanThereMayBe() {
    List<Command.Part> parts = new java.util.ArrayList<>();
    for (int i = 0; i < ShardRun.LIMITS.queuesMax() + 1; i++) {
      NewMessage message = NewMessage.to("queue" + i, new byte[0]);
      parts.add(new Command.Part.Push(Packed.of(List.of(message)).getFirst(), false));
    }

    Reply reply = shard.apply(new Command.CommitOperations(parts, null));

    assertThat(reply).isInstanceOf(Reply.Refused.class);
    assertThat(shard.state().queues).isEmpty();
  }

  @Test
  void shouldAnswerACommitThatBearsTheRequestIdOfAPush() {
    // given a push that named itself
    List<NewMessage> messages = List.of(message("a"));
    shard.apply(new Command.PushMessages(Packed.of(messages), 1, "r"));

    // when a commit has the same request id
    CommitRequest commit = CommitRequest.of(new Operation.PutRecord("k", 0, new byte[0]));
    Reply reply =
        shard.apply(
            new Command.CommitOperations(
                List.of(new Command.Part.Other(commit.operations().getFirst())), "r"));

    // then it is done, and answered as a commit
    assertThat(reply).isInstanceOf(Reply.CommittedOperations.class);
  }

  @Test
  void shouldWakeParkedPopsOfAGroupThatIsDeleted() {
    // given a group
    shard.push(message("a"));
    shard.pop(PopRequest.queue("q").group("g"));

    // when it is deleted
    shard.apply(new Command.DeleteGroup("q", "g", 0));

    // then pops that wait in it look again, or nothing would ever wake them
    assertThat(shard.effects).contains(new Effect.WakeQueue("q"));
  }

  @Test
  void shouldForgetATaskWhoseRetentionWasMadeLonger() {
    // given a task that is over
    configure(QueueOption.TRACK, true);
    configure(QueueOption.COMPLETED_RETENTION, 10);
    shard.push(message("a"));
    shard.pop(PopRequest.queue("q").autoAck(true));

    // when its retention is made longer before it is over
    configure(QueueOption.COMPLETED_RETENTION, 100);
    shard.pass(11_000);
    shard.pass(200_000);

    // then it is forgotten later, and its partition is let go
    shard.pass(1_000);
    assertThat(shard.queue("q").partitions).isEmpty();
  }

  @Test
  void shouldForgetATaskOfAGroupThatIsDeleted() {
    // given a task of two groups, one of which has done it
    configure(QueueOption.TRACK, true);
    shard.pop(PopRequest.queue("q").group("a"));
    shard.pop(PopRequest.queue("q").group("b"));
    shard.push(message("a"));
    shard.pop(PopRequest.queue("q").group("a").autoAck(true));

    // when the other is deleted
    shard.apply(new Command.DeleteGroup("q", "b", 0));
    shard.pass(4_000_000);
    shard.pass(4_000_000);
    shard.pass(4_000_000);

    // then the task is over, and its partition is let go
    assertThat(shard.queue("q").partitions).isEmpty();
  }

  @Test
  void shouldForgetTheTasksOfPurgedMessages() {
    // given tasks, delayed and not
    configure(QueueOption.TRACK, true);
    shard.push(message("a"), message("b").delayMs(10_000).transactionId("n"));

    // when they are purged
    shard.apply(new Command.PurgeQueue("q", null, null));
    shard.pass(4_000_000);
    shard.pass(4_000_000);

    // then nothing keeps their partition
    assertThat(shard.queue("q").partitions).isEmpty();
  }

  @Test
  void shouldStepOverABoundedPartOfWhatIsTooOld() {
    // given a long backlog that is too old
    configure(QueueOption.TTL, 1);
    int chunks = ShardLimits.COMMAND_ROWS_MAX + 10;
    for (int i = 0; i < chunks; i++) {
      shard.push(message("m"));
    }
    shard.nowMs += 2_000;

    // when somebody pops
    Reply.PoppedMessages popped = shard.pop(PopRequest.queue("q"));

    // then the pop says that it did not get through
    assertThat(popped.more()).isTrue();
  }

  @Test
  void shouldDeliverARequeuedMessageThatIsOlderThanTheTtl() {
    // given a dead letter that is older than a message may wait
    configure(QueueOption.TTL, 60);
    shard.push(message("a"));
    shard.settle(kill(shard.pop(PopRequest.queue("q"))));
    shard.nowMs += 120_000;

    // when it is requeued
    shard.apply(new Command.RequeueDead(DeadLetterFilter.queue("q"), 0));
    shard.pass(1_000);

    // then it is delivered, because that is what was asked for
    assertThat(payloads(shard.pop(PopRequest.queue("q")))).containsExactly("a");
  }

  @Test
  void shouldNotDeliverTwiceARequeuedMessageThatWasRescheduled() {
    // given a dead letter whose message the group sought back to, and that was then put off
    Reply.PushedMessages pushed = (Reply.PushedMessages) shard.push(message("a"));
    Reply.PushedMessages.Run run = pushed.runs().getFirst();
    shard.settle(kill(shard.pop(PopRequest.queue("q"))));
    shard.apply(
        new Command.SeekGroup(
            new SeekRequest("q", PopRequest.QUEUE_MODE, null, new SeekRequest.To.Beginning()),
            null));
    UUID id = MessageId.uuid(run.createdMs(), run.partition(), run.firstSeq());
    shard.apply(new Command.RescheduleMessage(MessageRef.id(id), shard.nowMs + 1_000));

    // when the dead letter is requeued
    shard.apply(new Command.RequeueDead(DeadLetterFilter.queue("q"), 0));

    // then the message comes once, when it is due
    assertThat(shard.queue("q").groups.getFirst().lag()).isZero();
    assertThat(shard.pop(PopRequest.queue("q")).messages()).isEmpty();
    shard.pass(2_000);
    assertThat(payloads(shard.pop(PopRequest.queue("q").batch(10)))).containsExactly("a");
  }

  @Test
  void shouldNotCountTheDeadOfAnEarlierGroupOfThatName() {
    // given a group that was deleted while it had a dead letter, and made again
    shard.push(message("a"));
    shard.settle(kill(shard.pop(PopRequest.queue("q").group("g"))));
    shard.apply(new Command.DeleteGroup("q", "g", 0));
    shard.nowMs += 1;
    shard.pop(PopRequest.queue("q").group("g"));

    // when the dead letter is removed
    shard.apply(new Command.RemoveDead(DeadLetterFilter.queue("q"), 0));

    // then the new group's count is right
    assertThat(shard.queue("q").groups.getFirst().dead).isZero();
  }

  @Test
  void shouldDeliverWhatCameBackByItsSeq() {
    // given messages of several lanes and chunks, some of which come back
    shard.push(message("a"), message("b"), message("c"), message("x").lane(1));
    shard.push(message("d"), message("e"), message("y").lane(1));
    Reply.PoppedMessages all = shard.pop(PopRequest.queue("q").batch(10));
    String lease = LeaseId.text(all.lease());
    for (int i : new int[] {1, 3}) {
      Reply.Taken taken = all.messages().get(i);
      shard.settle(
          Settle.ack(
              new Handle(lease, new Position(taken.partitionId(), taken.lane(), taken.seq()))));
    }
    shard.settle(Settle.releaseAll(lease));

    // when they are popped again
    Reply.PoppedMessages again = shard.pop(PopRequest.queue("q").batch(10));

    // then each is itself
    assertThat(payloads(again)).containsExactly("a", "c", "e", "x", "y");
  }

  @Test
  void shouldDropAPartitionWhoseNameWasTakenAgainWhenTheWindowWasShort() {
    // given a name that two messages had, because the window in which it counts was changed
    configure(QueueOption.COMPLETED_RETENTION, 0);
    for (int i = 0; i < 2; i++) {
      configure(QueueOption.DEDUP_WINDOW, 0);
      shard.push(message("m" + i).transactionId("n"));
      configure(QueueOption.DEDUP_WINDOW, 3_600);
      shard.settle(Settle.ack(handle(shard.pop(PopRequest.queue("q")), 0)));
      shard.pass(60_000);
    }

    // when the window of the first is over
    shard.pass(3_600_000 - 100_000);

    // then what is counted is there, and the partition goes when nothing is
    assertThat(Invariants.check(shard.view().rows()).violations()).isEmpty();
    shard.pass(3_600_000);
    assertThat(shard.queue("q").partitions).isEmpty();
  }

  @Test
  void shouldSayThatAPushOfADelayedMessageBeginsTheWindowAnew() {
    // given a partition that a pop found not to have been quiet for long enough
    configure(QueueOption.WINDOW_BUFFER, 2);
    shard.push(message("a"));
    assertThat(shard.pop(PopRequest.queue("q")).retryAtMs()).isEqualTo(shard.nowMs + 2_000);

    // when a message that is not due yet is pushed to it
    shard.nowMs += 1_500;
    shard.push(message("later").delayMs(60_000));

    // then the wait counts from that push, as it does for a shard that was opened since
    Reply.PoppedMessages popped = shard.pop(PopRequest.queue("q"));
    assertThat(popped.reason()).isEqualTo(Popped.Reason.WINDOW);
    assertThat(popped.retryAtMs()).isEqualTo(shard.nowMs + 2_000);
    shard.reopen();
    assertThat(shard.pop(PopRequest.queue("q")).retryAtMs()).isEqualTo(popped.retryAtMs());
  }
}
