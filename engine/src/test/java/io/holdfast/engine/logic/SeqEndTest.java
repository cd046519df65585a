package io.holdfast.engine.logic;

import static io.holdfast.engine.logic.ShardRun.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.MessageId;
import io.holdfast.engine.command.Packed;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.verify.Invariants;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A partition whose seqs are used up, here after about twenty. */
class SeqEndTest {
  private static final long END = 20;

  private final ShardRun shard = new ShardRun(ShardRun.LIMITS.seqEnd(END));

  private static void assertUsedUp(Reply reply) {
    assertThat(reply)
        .isInstanceOfSatisfying(
            Reply.Refused.class,
            refused -> {
              assertThat(refused.refusal().code()).isEqualTo(ErrorCode.LIMIT);
              assertThat(refused.refusal().detail())
                  .contains("partition Default of queue q has used up its sequence numbers")
                  .contains("push to another partition");
            });
  }

  private int pushUntilRefused(NewMessage message) {
    int pushed = 0;
    Reply reply = shard.push(message);
    for (; reply instanceof Reply.PushedMessages && pushed < 2 * END; reply = shard.push(message)) {
      pushed++;
    }
    assertUsedUp(reply);
    return pushed;
  }

  @Test
  void shouldRefusePushesAndTakeThoseToOtherPartitions() {
    assertThat(pushUntilRefused(message("x"))).isBetween((int) END - 3, (int) END);
    assertUsedUp(
        shard.apply(
            new Command.CommitOperations(
                List.of(new Command.Part.Push(Packed.of(List.of(message("x"))).getFirst(), false)),
                null)));
    assertThat(shard.push(message("x").partition("other")))
        .isInstanceOf(Reply.PushedMessages.class);
  }

  @Test
  void shouldLetEveryDelayedMessageEnter() {
    // given
    int pushed = pushUntilRefused(message("x").delayMs(1_000));
    assertThat(pushed).isEqualTo((int) END / 2 - 1);
    assertUsedUp(shard.push(message("x")));

    // when
    shard.pass(2_000);

    // then
    assertThat(shard.pop(PopRequest.queue("q").batch(100)).messages()).hasSize(pushed);
    assertThat(Invariants.check(shard.view().rows()).violations()).isEmpty();
  }

  @Test
  void shouldRefuseARescheduleThatWouldNeedASeq() {
    // given
    Reply.PushedMessages.Run run =
        ((Reply.PushedMessages) shard.push(message("x"))).runs().getFirst();
    MessageRef ref =
        MessageRef.id(MessageId.uuid(run.createdMs(), run.partition(), run.firstSeq()));
    pushUntilRefused(message("x"));
    for (int i = 0; i < 5; i++) {
      shard.apply(new Command.RescheduleMessage(ref, shard.nowMs + 10));
      shard.pass(20);
    }

    // then
    assertUsedUp(shard.apply(new Command.RescheduleMessage(ref, shard.nowMs + 10)));
    assertThat(Objects.requireNonNull(shard.state().partition(run.partition())).nextSeq)
        .isLessThanOrEqualTo(END);
  }

  @Test
  void shouldBeginAgainOnceThePartitionWasDropped() {
    // given
    shard.apply(
        new Command.ConfigureQueue(
            ConfigureRequest.queue("q").set(QueueOption.COMPLETED_RETENTION, 0L)));
    pushUntilRefused(message("x"));
    shard.pop(PopRequest.queue("q").batch(100).autoAck(true));

    // when
    shard.pass(70_000);

    // then
    Reply.PushedMessages again = (Reply.PushedMessages) shard.push(message("x"));
    assertThat(again.runs().getFirst().firstSeq()).isOne();
  }
}
