package io.holdfast.engine.logic;

import static io.holdfast.engine.logic.ShardRun.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.Position;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.MessageId;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.verify.Invariants;
import org.junit.jupiter.api.Test;

/** Messages that came back: random logs found these. */
class ReturnedTest {
  private final ShardRun shard = new ShardRun();

  private void configure(QueueOption option, Object value) {
    shard.apply(
        new Command.ConfigureQueue(
            ConfigureRequest.queue("q").set(QueueOption.DELIVERY, "shared").set(option, value)));
  }

  @Test
  void shouldLeaveNoRowsOfMessagesThatWereTrimmed() {
    // given two that came back, and before them one that came back from the dead
    configure(QueueOption.RETENTION, 30L);
    for (int i = 0; i < 3; i++) {
      shard.push(message("m" + i));
    }
    Reply.PoppedMessages popped = shard.pop(PopRequest.queue("q").batch(3));
    String lease = LeaseId.text(popped.lease());
    long partition = popped.messages().getFirst().partitionId();
    shard.settle(
        Settle.release(new Handle(lease, new Position(partition, 0, 2))),
        Settle.release(new Handle(lease, new Position(partition, 0, 3))),
        Settle.kill(new Handle(lease, new Position(partition, 0, 1)), "e"));
    shard.apply(new Command.RequeueDead(DeadLetterFilter.queue("q"), 0));

    // when the lane keeps none of them any more
    shard.pass(40_000);

    // then
    assertThat(Invariants.check(shard.view().rows()).violations()).isEmpty();
  }

  @Test
  void shouldDeliverWhatMustGoAloneWithTheNextPop() {
    // given a message that expired twice, and as many as its group may hold
    configure(QueueOption.MAX_IN_FLIGHT, 1L);
    shard.push(message("alone").partition("a"), message("waits").partition("a"));
    for (int i = 0; i < 2; i++) {
      assertThat(ShardRun.payloads(shard.pop(PopRequest.queue("q").leaseMs(1_000))))
          .containsExactly("alone");
      shard.pass(2_000);
    }
    shard.push(message("other").partition("b"));

    // when a pop finds it after another message
    Reply.PoppedMessages both = shard.pop(PopRequest.queue("q").batch(10).partitions(2));
    assertThat(ShardRun.payloads(both)).containsExactly("other");

    // then the next one takes it
    assertThat(ShardRun.payloads(shard.pop(PopRequest.queue("q")))).containsExactly("alone");
  }

  /** Pops a message, whose seq is not the one in its id because it was delayed. */
  private Settle ackByNameOfADelayedMessage() {
    shard.push(message("m").transactionId("n").delayMs(1_000));
    shard.pass(2_000);
    Reply.PoppedMessages popped = shard.pop(PopRequest.queue("q"));
    return new Settle(
        new Settle.Target.HeldByName(
            LeaseId.text(popped.lease()), popped.messages().getFirst().partitionId(), "n"),
        Settle.Outcome.ACK,
        null,
        0,
        false);
  }

  private SettleVerdict.Status settled(Settle settle) {
    return shard.settle(settle).verdicts().getFirst().status();
  }

  @Test
  void shouldAnswerARepeatedAckByNameAfterItsMessageWasTrimmed() {
    // given
    configure(QueueOption.COMPLETED_RETENTION, 0L);
    Settle ack = ackByNameOfADelayedMessage();
    assertThat(settled(ack)).isEqualTo(SettleVerdict.Status.ACKED);

    // when its lane has trimmed it, but its lease and its name are remembered
    shard.pass(10_000);

    // then
    assertThat(settled(ack)).isEqualTo(SettleVerdict.Status.ALREADY_SETTLED);
  }

  @Test
  void shouldAnswerARepeatedAckByNameAfterItsMessageWasPurged() {
    // given
    Settle ack = ackByNameOfADelayedMessage();
    assertThat(settled(ack)).isEqualTo(SettleVerdict.Status.ACKED);

    // when it is purged, and after that trimmed
    shard.apply(new Command.PurgeQueue("q", null, null));
    SettleVerdict.Status purged = settled(ack);
    shard.pass(10_000);
    SettleVerdict.Status trimmed = settled(ack);

    // then
    assertThat(purged).isEqualTo(SettleVerdict.Status.ALREADY_SETTLED);
    assertThat(trimmed).isEqualTo(SettleVerdict.Status.ALREADY_SETTLED);
  }

  @Test
  void shouldRescheduleARequeuedMessageOnlyForItsGroup() {
    // given a message that one group gave up and another acked, in a lane that is gone
    configure(QueueOption.COMPLETED_RETENTION, 0L);
    shard.push(message("stays"), message("dead").lane(1).transactionId("n"));
    Reply.PoppedMessages popped = shard.pop(PopRequest.queue("q").group("g").batch(2));
    Reply.PoppedMessages other = shard.pop(PopRequest.queue("q").group("h").batch(2));
    shard.settle(Settle.ackAll(LeaseId.text(other.lease())));
    Reply.Taken dead = popped.messages().getLast();
    Position at = new Position(dead.partitionId(), dead.lane(), dead.seq());
    shard.settle(Settle.kill(new Handle(LeaseId.text(popped.lease()), at), "e"));
    shard.pass(1_000);
    assertThat(shard.queue("q").partitions.firstEntry().getValue().lanes).hasSize(1);

    // when it is requeued and then rescheduled
    shard.apply(new Command.RequeueDead(DeadLetterFilter.queue("q"), 0));
    shard.apply(
        new Command.RescheduleMessage(MessageRef.id(MessageId.uuid(createdMs(dead), 1, 2)), 0));

    // then only the group that gave it up gets it
    assertThat(Invariants.check(shard.view().rows()).violations()).isEmpty();
    assertThat(shard.pop(PopRequest.queue("q").group("h").batch(2)).messages()).isEmpty();
    assertThat(ShardRun.payloads(shard.pop(PopRequest.queue("q").group("g").batch(2))))
        .containsExactly("dead");
  }

  private static long createdMs(Reply.Taken taken) {
    return taken.chunk().createdMs(taken.offset());
  }
}
