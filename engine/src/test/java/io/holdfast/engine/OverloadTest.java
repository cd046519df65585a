package io.holdfast.engine;

import static io.holdfast.engine.Calls.answerOf;
import static io.holdfast.engine.Calls.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Packed;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.store.MemoryStore;
import io.holdfast.testkit.ManualClock;
import io.holdfast.testkit.WaitLimits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A shard whose disk is slower than its callers refuses in time, and goes on when it can. */
@Timeout(WaitLimits.TEST_SECONDS)
class OverloadTest {
  private static final int MAX = 10;
  private static final int MIB = 1 << 20;

  private final TroubledStore store = new TroubledStore(new MemoryStore());

  /** Its clock stands still: once a second a tick would wait in the mailbox as well. */
  private final Shard shard =
      new Shard(
          store,
          EngineConfig.inMemory().mailbox(MAX, 64L * MIB),
          new ManualClock(),
          effects -> {},
          new Shard.Listener() {},
          null);

  @BeforeEach
  void start() {
    shard.start();
  }

  @AfterEach
  void close() {
    store.letWritesGo();
    shard.close();
  }

  @Test
  void shouldRefusePushesFirstThenEverythingAndThenGoOn() {
    // given: a write that hangs
    store.holdWrites();
    List<CompletableFuture<Reply>> accepted = new ArrayList<>();
    accepted.add(submit(push(1, 1)));
    eventually(() -> assertThat(store.isHolding()).isTrue());

    // when
    for (int i = 0; i < 8; i++) {
      accepted.add(submit(push(1, 1)));
    }

    // then
    assertOverloaded(answerOf(submit(push(1, 1))));
    accepted.add(submit(settle()));
    accepted.add(submit(settle()));
    assertOverloaded(answerOf(submit(settle())));
    assertThat(answerOf(Calls.start(() -> shard.look(view -> true))))
        .isInstanceOf(Task.Answer.No.class);
    assertThat(shard.mailboxDepth()).isBetween(MAX, MAX + 1);
    assertThat(accepted).noneMatch(CompletableFuture::isDone);

    // when
    store.letWritesGo();

    // then
    accepted.forEach(reply -> assertThat(answerOf(reply)).isNotInstanceOf(Reply.Refused.class));
    assertThat(shard.mailboxDepth()).isZero();
    assertThat(answerOf(submit(push(1, 1)))).isInstanceOf(Reply.PushedMessages.class);
  }

  @Test
  void shouldTakeInAFurtherStepOfWhatHasBegun() {
    // given: a mailbox that is full
    store.holdWrites();
    List<CompletableFuture<Reply>> accepted = new ArrayList<>();
    accepted.add(submit(push(1, 1)));
    eventually(() -> assertThat(store.isHolding()).isTrue());
    for (int i = 0; i < MAX; i++) {
      accepted.add(submit(settle()));
    }
    assertOverloaded(answerOf(submit(purge())));

    // when
    accepted.add(Calls.startAndSubmit(() -> shard.continueWith(purge())));

    // then
    store.letWritesGo();
    accepted.forEach(reply -> assertThat(answerOf(reply)).isNotInstanceOf(Reply.Refused.class));
  }

  private static Command purge() {
    return new Command.PurgeQueue(Calls.QUEUE, null, null);
  }

  private CompletableFuture<Reply> submit(Command command) {
    return Calls.startAndSubmit(() -> shard.apply(command));
  }

  private static void assertOverloaded(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.Refused.class);
    assertThat(((Reply.Refused) reply).refusal().code()).isEqualTo(ErrorCode.OVERLOADED);
  }

  private static Command push(int count, int bytes) {
    List<NewMessage> messages =
        Collections.nCopies(count, NewMessage.to(Calls.QUEUE, new byte[bytes]));
    return new Command.PushMessages(Packed.of(messages), count, null);
  }

  private static Command settle() {
    return new Command.SettleMessages(SettleRequest.of(Settle.ackAll("AAAAAAAAAAA")));
  }
}
