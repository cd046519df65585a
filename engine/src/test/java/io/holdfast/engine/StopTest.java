package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.group.SeekRequest;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.api.message.RescheduleRequest;
import io.holdfast.api.queue.QueuesRequest;
import io.holdfast.engine.store.MemoryStore;
import io.holdfast.engine.store.Snapshot;
import io.holdfast.engine.store.Store;
import io.holdfast.engine.store.StoreException;
import io.holdfast.engine.store.Tx;
import io.holdfast.testkit.ManualClock;
import io.holdfast.testkit.WaitLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A broker that stops answers everybody, and nothing a caller says makes it stop. */
@Timeout(value = WaitLimits.TEST_SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class StopTest {
  private static final PushRequest PUSH = PushRequest.of(NewMessage.to("q", new byte[0]));

  /** A store in memory whose batches wait for the test, and fail when it says so. */
  private static final class HeldStore implements Store {
    final MemoryStore rows = new MemoryStore();
    final AtomicInteger begun = new AtomicInteger();
    final CountDownLatch writing = new CountDownLatch(1);
    final CountDownLatch release = new CountDownLatch(1);
    volatile boolean holding;
    volatile boolean failBegin;

    /** While it is not open, batches do not begin, and tasks collect in the mailbox. */
    volatile CountDownLatch beginning = new CountDownLatch(0);

    @Override
    public Tx begin() {
      begun.incrementAndGet();
      await(beginning);
      if (failBegin) {
        throw new StoreException("no more batches", null);
      }
      return rows.begin();
    }

    @Override
    public void write(Tx tx, boolean sync) {
      if (holding) {
        writing.countDown();
        await(release);
        throw new StoreException("the disk is gone", null);
      }
      rows.write(tx, sync);
    }

    private static void await(CountDownLatch latch) {
      try {
        assertThat(latch.await(WaitLimits.EVENT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public Snapshot snapshot() {
      return rows.snapshot();
    }

    @Override
    public void checkpoint(Path directory) {
      rows.checkpoint(directory);
    }

    @Override
    public void flush() {}

    @Override
    public void reclaim(byte[] from, byte[] to) {}

    @Override
    public long diskBytes() {
      return 0;
    }

    @Override
    public void close() {
      rows.close();
    }
  }

  private final HeldStore store = new HeldStore();
  private final ManualClock clock = new ManualClock();
  private final EmbeddedBroker broker = EmbeddedBroker.open(EngineConfig.inMemory(), clock, store);

  private CompletableFuture<Result<Pushed>> pushing() {
    CompletableFuture<Result<Pushed>> answer = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> answer.complete(broker.push(PUSH)));
    return answer;
  }

  @Test
  void shouldAnswerWhoWasAppliedWhileTheWriteBeforeFailed() throws Exception {
    // given a batch too large for the apply thread, being written, and another one applied
    // meanwhile
    broker.push(PUSH).orThrow();
    store.holding = true;
    store.beginning = new CountDownLatch(1);
    List<CompletableFuture<Result<Pushed>>> together =
        Stream.generate(() -> Calls.startAndSubmit(() -> broker.push(PUSH))).limit(20).toList();
    store.beginning.countDown();
    CompletableFuture<Result<Pushed>> written = together.getFirst();
    HeldStore.await(store.writing);
    int begun = store.begun.get();
    CompletableFuture<Result<Pushed>> applied = pushing();
    Awaitility.await().until(() -> store.begun.get() > begun);

    // when the write fails
    store.release.countDown();

    // then both are refused, and the broker can be closed
    assertThat(written.get(WaitLimits.EVENT.toSeconds(), TimeUnit.SECONDS).refusal().code())
        .isEqualTo(ErrorCode.SHARD_STOPPED);
    assertThat(applied.get(WaitLimits.EVENT.toSeconds(), TimeUnit.SECONDS).refusal().code())
        .isEqualTo(ErrorCode.SHARD_STOPPED);
    CompletableFuture.runAsync(broker::close, Thread::startVirtualThread)
        .get(WaitLimits.EVENT.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void shouldAnswerWhoseCommandFails() throws Exception {
    // given a broker that is about to fail
    broker.push(PUSH).orThrow();
    store.failBegin = true;

    // when somebody asks
    CompletableFuture<Result<Pushed>> asked = pushing();

    // then the answer is a refusal, and the broker can be closed
    assertThat(asked.get(WaitLimits.EVENT.toSeconds(), TimeUnit.SECONDS).refusal().code())
        .isEqualTo(ErrorCode.SHARD_STOPPED);
    CompletableFuture.runAsync(broker::close, Thread::startVirtualThread)
        .get(WaitLimits.EVENT.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void shouldTellParkedPopsThatItStopped() throws Exception {
    // given a pop that waits
    CompletableFuture<Result<Popped>> waiting = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> waiting.complete(broker.pop(PopRequest.queue("q").waitMs(600_000))));
    Awaitility.await().until(() -> broker.stats().orThrow().parkedPops() == 1);

    // when the broker fails
    store.failBegin = true;
    pushing().get(WaitLimits.EVENT.toSeconds(), TimeUnit.SECONDS);

    // then it is told at once
    assertThat(waiting.get(WaitLimits.EVENT.toSeconds(), TimeUnit.SECONDS).refusal().code())
        .isEqualTo(ErrorCode.SHARD_STOPPED);
    broker.close();
  }

  @Test
  @SuppressWarnings("NullAway")
  void shouldRefuseWhatIsMissingAndGoOn() {
    broker.push(PUSH).orThrow();
    assertThatThrownBy(() -> broker.queue(null)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> broker.deleteQueue(null)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> broker.pause(null, true)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> broker.deleteGroup("q", null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> broker.message(MessageRef.id(null)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> broker.queues(new QueuesRequest(null, null, null, null, 1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> PopRequest.of(null)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> PopRequest.queue("q").start(null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SeekRequest("q", "g", null, null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                broker.settle(
                    SettleRequest.of(new Settle(null, Settle.Outcome.ACK, null, 0, false))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(broker.push(PUSH).isOk()).isTrue();
    broker.close();
  }

  @Test
  void shouldNotSpinOverAMessageThatIsFarAway() throws Exception {
    // given a message that came back and is due in thousands of years
    UUID id = broker.push(PUSH).orThrow().messages().getFirst().id();
    broker.pop(PopRequest.queue("q")).orThrow();
    broker
        .reschedule(
            new RescheduleRequest(MessageRef.id(id), 100 * io.holdfast.api.Limits.DURATION_MS_MAX))
        .orThrow();

    // when a pop waits
    CompletableFuture<Result<Popped>> waiting = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> waiting.complete(broker.pop(PopRequest.queue("q").waitMs(1_000))));
    Awaitility.await().until(() -> broker.stats().orThrow().parkedPops() == 1);

    // then it asks once or twice, not all the time
    long before = broker.stats().orThrow().appliedIndex();
    for (int i = 0; i < 50; i++) {
      broker.stats().orThrow();
    }
    assertThat(broker.stats().orThrow().appliedIndex() - before).isLessThan(3);
    clock.advance(Duration.ofSeconds(2));
    assertThat(waiting.get(WaitLimits.EVENT.toSeconds(), TimeUnit.SECONDS).orThrow().reason())
        .isEqualTo(Popped.Reason.BACKOFF);
    broker.close();
  }
}
