package io.holdfast.engine.logic;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.commit.Operation;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped.Reason;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Command.Part;
import io.holdfast.engine.command.Effect;
import io.holdfast.engine.command.Envelope;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.Packed;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.Sealer;
import io.holdfast.engine.store.Tables;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the rules say of queues that keep only sealed payloads, without any key. */
class SealedRulesTest {
  private static final int KEY = 7;
  private static final Set<Integer> KEYS = Set.of(KEY);

  /** Only the id of the key counts here. */
  private static final Sealer SEALER =
      message -> {
        byte[] envelope = new byte[Envelope.OVERHEAD_BYTES];
        envelope[Envelope.NONCE_AT - 1] = KEY;
        return envelope;
      };

  private final ShardRun shard = new ShardRun();

  private static NewMessage message(String queue) {
    return NewMessage.to(queue, new byte[] {1});
  }

  private Reply configure(String queue, boolean on) {
    return shard.apply(
        new Command.ConfigureQueue(ConfigureRequest.queue(queue).set(QueueOption.ENCRYPTION, on)));
  }

  private Reply push(Sealer sealer, @Nullable String requestId, NewMessage... messages) {
    return shard.apply(
        new Command.PushMessages(Packed.of(List.of(messages), sealer), messages.length, requestId));
  }

  private Reply pop(PopRequest request, Set<Integer> keys) {
    return shard.apply(new Command.PopMessages(request, keys));
  }

  @BeforeEach
  void encrypt() {
    configure("q", true);
  }

  @Test
  void shouldTellWhoConfiguresAndDeletes() {
    // then
    assertThat(shard.effects).contains(new Effect.SealQueue("q", true));
    configure("q", true);
    assertThat(shard.effects).noneMatch(effect -> effect instanceof Effect.SealQueue);
    configure("q", false);
    assertThat(shard.effects).contains(new Effect.SealQueue("q", false));
    configure("other", true);
    shard.reopen();
    assertThat(shard.state().sealedQueues()).containsExactly("other");
    shard.apply(new Command.DeleteQueue("other"));
    assertThat(shard.effects).contains(new Effect.SealQueue("other", false));
  }

  @Test
  void shouldStoreNothingOfAPushThatCameInTheClear() {
    // when
    Reply reply = push(Sealer.NONE, "request", message("open"), message("q"));

    // then
    assertThat(reply).isEqualTo(new Reply.Unsealed(Set.of("q")));
    assertThat(shard.state().queue("open")).isNull();
    assertThat(shard.queue("q").stored).isZero();
    assertThat(shard.state().requestBytes.sum(shard.nowMs)).isZero();

    // when
    Reply again = push(SEALER, "request", message("open"), message("q"));

    // then
    assertThat(again).isInstanceOf(Reply.PushedMessages.class);
    assertThat(shard.queue("q").stored).isEqualTo(1);
  }

  @Test
  void shouldStoreNothingOfAPushThatIsSealedInPart() {
    // given
    int[] seen = {0};
    Sealer everyOther = message -> seen[0]++ % 2 == 0 ? SEALER.seal(message) : null;

    // then
    assertThat(push(everyOther, null, message("q"), message("q")))
        .isEqualTo(new Reply.Unsealed(Set.of("q")));
  }

  @Test
  void shouldDoNothingOfACommitThatCameInTheClear() {
    // given
    Operation record = new Operation.PutRecord("key", Operation.ANY_VERSION, new byte[1]);
    Part push = new Part.Push(Packed.of(List.of(message("q"))).getFirst(), true);

    // when
    Reply reply =
        shard.apply(new Command.CommitOperations(List.of(new Part.Other(record), push), "request"));

    // then
    assertThat(reply).isEqualTo(new Reply.Unsealed(Set.of("q")));
    assertThat(shard.row(Tables.record("key"))).isEmpty();
  }

  @Test
  void shouldTakeNothingThatTheCallerCannotOpen() {
    // given
    push(SEALER, null, message("q"));
    push(SEALER, null, message("q").partition("another"));

    // when
    Reply reply = pop(PopRequest.queue("q").batch(10).partitions(10), Set.of(KEY + 1));

    // then
    assertThat(reply)
        .isInstanceOfSatisfying(
            Reply.PoppedMessages.class,
            popped -> {
              assertThat(popped.messages()).isEmpty();
              assertThat(popped.reason()).isEqualTo(Reason.UNREADABLE);
              assertThat(popped.retryAtMs()).isEqualTo(shard.nowMs + LogicLimits.UNREADABLE_MS);
              assertThat(popped.unreadable()).isNotNull();
            });
    assertThat(shard.state().leases).isEmpty();
    // Not even looked at again before that time.
    Group group = shard.queue("q").groups.getFirst();
    assertThat(group.ready).isEmpty();
    assertThat(group.later).hasSize(2);
    shard.nowMs += LogicLimits.UNREADABLE_MS;
    assertThat(pop(PopRequest.queue("q"), KEYS))
        .isInstanceOfSatisfying(
            Reply.PoppedMessages.class, popped -> assertThat(popped.messages()).hasSize(1));
  }

  @Test
  void shouldSayTheSameTimeToLookAgainAfterReopening() {
    // given a message that a pop could not open
    push(SEALER, null, message("q"));
    Reply.PoppedMessages first = (Reply.PoppedMessages) pop(PopRequest.queue("q"), Set.of(KEY + 1));

    // when the shard is opened again, and another pop cannot either
    shard.nowMs += 1_000;
    shard.reopen();
    Reply.PoppedMessages second =
        (Reply.PoppedMessages) pop(PopRequest.queue("q"), Set.of(KEY + 1));

    // then
    assertThat(second.reason()).isEqualTo(Reason.UNREADABLE);
    assertThat(second.retryAtMs()).isEqualTo(first.retryAtMs());
  }

  @Test
  void shouldMoveNothingForAPopThatIsStuck() {
    // given
    push(SEALER, null, message("q"));
    PopRequest one = PopRequest.partition("q", NewMessage.DEFAULT_PARTITION);
    pop(one, Set.of(KEY + 1));
    byte[] cursor = Tables.cursor(1, 1, 1, 0);
    assertThat(shard.row(cursor)).isEmpty();

    // when
    pop(one, KEYS);

    // then
    assertThat(shard.row(cursor)).isNotEmpty();
  }

  @Test
  void shouldLeaseWhatHasToBeOpenedBeforeItIsAcked() {
    // given
    push(SEALER, null, message("q"));

    // when
    Reply reply = pop(PopRequest.queue("q").autoAck(true), KEYS);

    // then
    assertThat(reply)
        .isInstanceOfSatisfying(
            Reply.PoppedMessages.class,
            popped -> {
              assertThat(popped.lease()).isNotEqualTo(LeaseId.NONE);
              assertThat(shard.state().leases).containsKey(popped.lease());
            });
    assertThat(shard.state().totals.acked).isZero();
  }
}
