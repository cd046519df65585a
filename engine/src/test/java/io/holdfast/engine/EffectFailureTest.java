package io.holdfast.engine;

import static io.holdfast.engine.Calls.answerOf;
import static io.holdfast.engine.Calls.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.TimeSource;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Effect;
import io.holdfast.engine.command.Packed;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.store.MemoryStore;
import io.holdfast.engine.store.StoreException;
import io.holdfast.testkit.WaitLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An effect that fails after its batch was stored: answers stay, and the shard stops. */
@Timeout(WaitLimits.TEST_SECONDS)
class EffectFailureTest {
  private final TroubledStore store = new TroubledStore(new MemoryStore());
  private final AtomicInteger stops = new AtomicInteger();

  private Shard shard(Consumer<List<Effect>> effects, Runnable atStop) {
    Shard shard =
        new Shard(
            store,
            EngineConfig.inMemory(),
            TimeSource.SYSTEM,
            effects,
            new Shard.Listener() {
              @Override
              public void wakeWaiting() {
                atStop.run();
              }
            },
            null);
    shard.start();
    return shard;
  }

  @Test
  void shouldNotAnswerAgainWhatWasAnswered() {
    // given
    Shard shard = shard(EffectFailureTest::fail, stops::incrementAndGet);

    // when
    Pending<Reply> answer = shard.tick(true);
    eventually(() -> assertThat(shard.stopped()).isNotNull());
    shard.close();

    // then
    assertThat(answer.await()).isInstanceOf(Reply.Ticked.class);
    assertThat(stops).hasValue(1);
  }

  private static void fail(List<Effect> effects) {
    throw new IllegalStateException("an effect failed");
  }

  @Test
  void shouldAnswerTheWholeBatchAndRefuseWhatComesLater() {
    // given: a batch being written, and what becomes one batch behind it, whose first command has
    // an
    // effect of its own
    Shard shard =
        shard(
            effects -> {
              if (effects.stream().anyMatch(effect -> effect instanceof Effect.SealQueue)) {
                fail(effects);
              }
            },
            stops::incrementAndGet);
    store.holdWrites();
    List<CompletableFuture<Reply>> stored = new ArrayList<>();
    stored.add(submit(shard, push()));
    eventually(() -> assertThat(store.isHolding()).isTrue());
    stored.add(submit(shard, encrypt()));
    stored.add(submit(shard, push()));
    stored.add(submit(shard, push()));
    eventually(() -> assertThat(shard.mailboxDepth()).isEqualTo(3));

    // when
    store.letWritesGo();

    // then
    stored.forEach(reply -> assertThat(answerOf(reply)).isNotInstanceOf(Reply.Refused.class));
    eventually(() -> assertThat(shard.stopped()).isNotNull());
    assertStopped(answerOf(submit(shard, push())), "an effect failed");
    shard.close();
    assertThat(stops).hasValue(1);
  }

  @Test
  void shouldRefuseABatchThatFailsAlsoIfNobodyCanBeWoken() {
    // given
    Shard shard =
        shard(
            effects -> {},
            () -> {
              throw new IllegalStateException("nobody was woken");
            });
    store.failWrites(new StoreException("The disk is full.", null));

    // when
    CompletableFuture<Reply> push = submit(shard, push());

    // then
    assertStopped(answerOf(push), "The disk is full.");
    shard.close();
  }

  @Test
  void shouldKeepTheFirstAnswer() {
    // given
    Pending<String> pending = new Pending<>();

    // when
    pending.complete("first");
    pending.complete("second");

    // then
    assertThat(pending.await()).isEqualTo("first");
  }

  private static CompletableFuture<Reply> submit(Shard shard, Command command) {
    return Calls.startAndSubmit(() -> shard.apply(command));
  }

  private static Command push() {
    return new Command.PushMessages(Packed.of(List.of(Calls.message("a"))), 1, null);
  }

  private static Command encrypt() {
    return new Command.ConfigureQueue(
        ConfigureRequest.queue("secret").set(QueueOption.ENCRYPTION, true));
  }

  private static void assertStopped(Reply reply, String why) {
    assertThat(reply).isInstanceOf(Reply.Refused.class);
    assertThat(((Reply.Refused) reply).refusal().code()).isEqualTo(ErrorCode.SHARD_STOPPED);
    assertThat(((Reply.Refused) reply).refusal().detail()).contains(why);
  }
}
