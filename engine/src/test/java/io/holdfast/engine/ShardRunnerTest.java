package io.holdfast.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.RequestRound;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.engine.store.MemoryStore;
import io.holdfast.testkit.ManualClock;
import io.holdfast.testkit.WaitLimits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The threads that run a shard: its own, or one that submits a command while it is idle. */
@Timeout(WaitLimits.TEST_SECONDS)
class ShardRunnerTest {
  private static final String QUEUE = "orders";

  private final TroubledStore store = new TroubledStore(new MemoryStore());
  private final EmbeddedBroker broker =
      EmbeddedBroker.open(EngineConfig.inMemory(), new ManualClock(), store);

  @AfterEach
  void close() {
    store.letWritesGo();
    Calls.closeInTime(broker);
  }

  private static PushRequest push(String payload) {
    return PushRequest.of(NewMessage.to(QUEUE, payload.getBytes(UTF_8)));
  }

  private Thread lastWriter() {
    return store.written().getLast().thread();
  }

  private static <T> T onThread(Thread.Builder threads, Supplier<T> call) {
    CompletableFuture<T> result = new CompletableFuture<>();
    threads.start(() -> result.complete(call.get()));
    return result.join();
  }

  @Test
  void shouldRunOnAPlatformThreadThatSubmitsWhileItIsIdle() {
    // when
    Thread caller =
        onThread(
            Thread.ofPlatform(),
            () -> {
              broker.push(push("a")).orThrow();
              return Thread.currentThread();
            });
    // then
    assertThat(lastWriter()).isSameAs(caller);
  }

  @Test
  void shouldNotRunOnAVirtualThread() {
    // when
    onThread(Thread.ofVirtual(), () -> broker.push(push("a")).orThrow());
    // then
    assertThat(lastWriter().getName()).isEqualTo("holdfast-apply");
  }

  @Test
  void shouldAnswerAParkedPopOnTheThreadThatPushes() {
    // given
    AsyncResult<Popped> waiting = broker.popAsync(PopRequest.queue(QUEUE).waitMs(60_000));
    // when
    boolean answered =
        onThread(
            Thread.ofPlatform(),
            () -> {
              broker.push(push("a")).orThrow();
              return waiting.isDone();
            });
    // then
    assertThat(answered).isTrue();
    assertThat(waiting.join().orThrow().messages()).hasSize(1);
  }

  @Test
  void shouldWriteTheRequestsOfOneRoundTogether() {
    // given
    Queue<Runnable> end = new ArrayDeque<>();
    int before = store.written().size();
    // when
    List<AsyncResult<Pushed>> pushes =
        onThread(
            Thread.ofPlatform(),
            () -> {
              RequestRound.mark(end::add);
              List<AsyncResult<Pushed>> asked = new ArrayList<>();
              for (int i = 0; i < 10; i++) {
                asked.add(broker.pushAsync(push("m" + i)));
              }
              assertThat(asked).noneMatch(AsyncResult::isDone);
              end.remove().run();
              return asked;
            });
    // then
    assertThat(pushes).allMatch(push -> push.join().isOk());
    assertThat(end).isEmpty();
    assertThat(store.written()).hasSize(before + 1);
  }

  @Test
  void shouldLeaveTheRestToItsOwnThreadWhenMuchWaits() {
    // given
    Queue<Runnable> end = new ArrayDeque<>();
    // when
    List<AsyncResult<Pushed>> pushes =
        onThread(
            Thread.ofPlatform(),
            () -> {
              RequestRound.mark(end::add);
              List<AsyncResult<Pushed>> asked = new ArrayList<>();
              for (int i = 0; i < 100; i++) {
                asked.add(broker.pushAsync(push("m" + i)));
              }
              end.remove().run();
              return asked;
            });
    // then
    assertThat(pushes).allMatch(push -> push.join().isOk());
    assertThat(lastWriter().getName()).startsWith("holdfast-");
  }

  @Test
  void shouldApplyEveryCommandOfManyThreads() {
    // given
    int threads = 8;
    long each = 500;
    List<CompletableFuture<Integer>> all = new ArrayList<>();
    try (var pool = Executors.newFixedThreadPool(threads)) {
      // when
      for (int i = 0; i < threads; i++) {
        boolean virtual = i % 2 == 0;
        all.add(
            CompletableFuture.supplyAsync(
                () -> {
                  Thread.Builder kind = virtual ? Thread.ofVirtual() : Thread.ofPlatform();
                  return onThread(
                      kind,
                      () -> {
                        int done = 0;
                        for (int n = 0; n < each; n++) {
                          done += broker.push(push("x")).orThrow().messages().size();
                        }
                        return done;
                      });
                },
                pool));
      }
      // then
      assertThat(all.stream().mapToLong(CompletableFuture::join).sum()).isEqualTo(threads * each);
    }
    assertThat(broker.queue(QUEUE).orThrow().counts().waiting()).isEqualTo(threads * each);
  }

  @Test
  void shouldAnswerAllWhenItIsClosedWhileAnotherThreadRunsIt() {
    // given
    store.holdWrites();
    CompletableFuture<Boolean> first =
        CompletableFuture.supplyAsync(() -> broker.push(push("a")).isOk());
    Calls.eventually(() -> assertThat(store.isHolding()).isTrue());
    AsyncResult<Pushed> second = broker.pushAsync(push("b"));
    // when
    CompletableFuture<Void> closing = CompletableFuture.runAsync(broker::close);
    store.letWritesGo();
    // then
    closing.join();
    assertThat(first.join()).isTrue();
    assertThat(second.join().isOk()).isTrue();
  }
}
