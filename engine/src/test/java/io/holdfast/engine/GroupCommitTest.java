package io.holdfast.engine;

import static io.holdfast.engine.Calls.answerOf;
import static io.holdfast.engine.Calls.eventually;
import static io.holdfast.engine.Calls.one;
import static io.holdfast.engine.Calls.push;
import static io.holdfast.engine.Calls.pushOf;
import static io.holdfast.engine.Calls.startAndSubmit;
import static io.holdfast.engine.Calls.stats;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.Result;
import io.holdfast.api.Stats;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.engine.EngineConfig.Durability;
import io.holdfast.engine.TroubledStore.Written;
import io.holdfast.engine.store.MemoryStore;
import io.holdfast.testkit.ManualClock;
import io.holdfast.testkit.WaitLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What waits together is written together, and answered only then. */
@Timeout(WaitLimits.TEST_SECONDS)
class GroupCommitTest {
  private final TroubledStore store = new TroubledStore(new MemoryStore());
  private EmbeddedBroker broker = open(store, Durability.FSYNC);

  private static EmbeddedBroker open(TroubledStore store, Durability durability) {
    return EmbeddedBroker.open(
        EngineConfig.inMemory().durability(durability), new ManualClock(), store);
  }

  @AfterEach
  void close() {
    store.letWritesGo();
    Calls.closeInTime(broker);
  }

  @Test
  void shouldWriteWhatCameMeanwhileInOneBatch() {
    // given
    push(broker, "before");
    int before = store.written().size();
    List<CompletableFuture<?>> calls = new ArrayList<>();
    holdWith(() -> broker.push(pushOf("first")), calls);

    // when
    for (int i = 0; i < 50; i++) {
      calls.add(startAndSubmit(() -> broker.push(pushOf("later"))));
    }
    store.letWritesGo();
    calls.forEach(Calls::answerOf);

    // then
    assertThat(store.written().size() - before).isEqualTo(2);
    Stats stats = stats(broker);
    assertThat(stats.batches()).isEqualTo(store.written().size());
    assertThat(stats.synced()).isEqualTo(store.written().size());
    assertThat(stats.totals().pushed()).isEqualTo(52);
  }

  @Test
  void shouldAnswerNothingBeforeItsBatchIsWritten() {
    // given
    push(broker, "a");
    broker.pop(one()).orThrow();
    List<Supplier<Result<?>>> verbs =
        List.of(
            () -> broker.push(pushOf("b")),
            () -> broker.pop(one()),
            () -> broker.queue(Calls.QUEUE),
            broker::stats);

    for (Supplier<Result<?>> verb : verbs) {
      // when: it is alone
      List<CompletableFuture<?>> calls = new ArrayList<>();
      holdWith(verb, calls);

      // then
      assertThat(calls.getFirst()).isNotDone();

      // when: it waits behind another batch
      calls.add(startAndSubmit(verb));

      // then
      assertThat(calls).noneMatch(CompletableFuture::isDone);
      store.letWritesGo();
      calls.forEach(call -> assertThat(((Result<?>) answerOf(call)).isOk()).isTrue());
    }
  }

  /** Starts a call whose write waits. */
  private void holdWith(Supplier<? extends Result<?>> call, List<CompletableFuture<?>> calls) {
    store.holdWrites();
    calls.add(startAndSubmit(call));
    eventually(() -> assertThat(store.isHolding()).isTrue());
  }

  @Test
  void shouldSyncAllButLeasesAndExtends() {
    // given
    List<Boolean> syncs = syncsOfEachVerb();

    // then: push, pop, extend, pop that settles, settle, pop with auto-ack
    assertThat(syncs).containsExactly(true, false, false, true, true, true);
  }

  @Test
  void shouldSyncALeaseThatSharesABatchWithAPush() {
    // given
    push(broker, "a");
    int before = store.written().size();
    List<CompletableFuture<?>> calls = new ArrayList<>();
    holdWith(() -> broker.pop(one()), calls);

    // when
    calls.add(startAndSubmit(() -> broker.pop(one().group("other"))));
    calls.add(startAndSubmit(() -> broker.push(pushOf("b"))));
    store.letWritesGo();
    calls.forEach(Calls::answerOf);

    // then
    List<Written> written = store.written();
    assertThat(written.subList(before, written.size()))
        .extracting(Written::sync)
        .containsExactly(false, true);
  }

  @Test
  void shouldWriteNothingForAPopThatFindsNothing() {
    // given
    broker.pop(one()).orThrow();
    int before = store.written().size();

    // when
    for (int i = 0; i < 10; i++) {
      assertThat(broker.pop(one()).orThrow().isEmpty()).isTrue();
      stats(broker);
    }

    // then
    assertThat(store.written()).hasSize(before);
  }

  @Test
  void shouldNeverSyncWhenTheSystemIsTrusted() {
    // given
    Calls.closeInTime(broker);
    TroubledStore lazy = new TroubledStore(new MemoryStore());
    broker = open(lazy, Durability.OS);

    // when
    doEachVerb();

    // then
    assertThat(lazy.written()).isNotEmpty().noneMatch(Written::sync);
    Stats stats = stats(broker);
    assertThat(stats.durability()).isEqualTo("os");
    assertThat(stats.synced()).isZero();
    eventually(() -> assertThat(stats(broker).batches()).isEqualTo(lazy.written().size()));
  }

  private List<Boolean> syncsOfEachVerb() {
    doEachVerb();
    return store.written().stream().map(Written::sync).toList();
  }

  private void doEachVerb() {
    push(broker, "a");
    Popped popped = broker.pop(one()).orThrow();
    broker.extend(ExtendRequest.of(popped.leaseId(), 1_000_000)).orThrow();
    Popped second =
        broker
            .pop(one().settles(List.of(Settle.release(popped.messages().getFirst().handle()))))
            .orThrow();
    broker.settle(SettleRequest.of(Settle.releaseAll(second.leaseId()))).orThrow();
    broker.pop(one().autoAck(true)).orThrow();
  }
}
