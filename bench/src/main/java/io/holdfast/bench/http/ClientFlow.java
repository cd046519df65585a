package io.holdfast.bench.http;

import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.Deliveries;
import io.holdfast.client.Holdfast;
import io.holdfast.client.NamedQueue;
import io.holdfast.client.consume.BatchHandler;
import io.holdfast.client.consume.Consumer;
import io.holdfast.client.consume.ConsumerSetup;
import io.holdfast.client.consume.HeldMessage;
import io.holdfast.client.produce.Outgoing;
import io.holdfast.client.produce.PushBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Messages on their way from buffers to one consumer, each to a partition of its own; at most so
 * many at a time.
 *
 * <p>Invariant: each message comes once and in order, and all are acked in the end, or the run
 * fails.
 *
 * <p>Thread: the one that runs the bench.
 */
final class ClientFlow {
  static final int BATCH = 100;
  private static final int ON_THEIR_WAY_MAX = 20_000;

  private final String address;
  private final String queue;
  private final int threads;
  private final Semaphore onTheirWay = new Semaphore(ON_THEIR_WAY_MAX);
  private final AtomicLong handled = new AtomicLong();
  private final Deliveries deliveries;
  private final long[] pushed;
  private boolean prefetch;
  private long busyNanos;
  private volatile boolean producing = true;

  /**
   * @param threads at each end
   */
  ClientFlow(String address, String queue, int threads) {
    this.address = address;
    this.queue = queue;
    this.threads = threads;
    this.deliveries = new Deliveries(threads, true);
    this.pushed = new long[threads];
  }

  /** Whether the consumer fetches ahead; it does not if nothing is said. */
  ClientFlow prefetch(boolean on) {
    prefetch = on;
    return this;
  }

  /** How long the handler waits for something else, for each batch. */
  ClientFlow busy(Duration time) {
    busyNanos = time.toNanos();
    return this;
  }

  /** Runs once; answers how many messages were handled in a second. */
  double run(int seconds) throws InterruptedException {
    try (Holdfast holdfast = Holdfast.connect(address);
        Consumer consumer = setup(holdfast).consume(this::handle)) {
      List<Thread> producers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int source = i;
        producers.add(Thread.ofPlatform().start(() -> produce(holdfast.queue(queue), source)));
      }
      double rate = rate(handled, seconds);
      producing = false;
      for (Thread producer : producers) {
        producer.join();
      }
      verify(consumer);
      return rate;
    }
  }

  private ConsumerSetup<BatchHandler> setup(Holdfast holdfast) {
    return holdfast.queue(queue).batch(BATCH).concurrency(threads).prefetch(prefetch);
  }

  private void verify(Consumer consumer) throws InterruptedException {
    long all = 0;
    for (long part : pushed) {
      all += part;
    }
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (handled.get() < all && System.nanoTime() - deadline < 0) {
      Thread.sleep(5);
    }
    CheckFailedException.expectEqual("messages handled", all, handled.get());
    for (int i = 0; i < threads; i++) {
      deliveries.verify(i, pushed[i]);
    }
    consumer.stop(Duration.ofSeconds(10));
    CheckFailedException.expectEqual("messages acked", all, consumer.counts().acked());
  }

  private void handle(List<HeldMessage> messages) {
    if (busyNanos > 0) {
      LockSupport.parkNanos(busyNanos);
    }
    for (HeldMessage message : messages) {
      String text = message.text();
      String plain = text.substring(1, text.length() - 1);
      deliveries.note(TextPayload.source(plain), TextPayload.seq(plain));
    }
    handled.addAndGet(messages.size());
    onTheirWay.release(messages.size());
  }

  private void produce(NamedQueue to, int source) {
    CompletableFuture<?> last = CompletableFuture.completedFuture(null);
    try (PushBuffer buffer = to.partition("p" + source).buffer(BATCH, Duration.ofMillis(5))) {
      while (producing) {
        if (onTheirWay.tryAcquire(100, TimeUnit.MILLISECONDS)) {
          last = buffer.push(Outgoing.bytes(TextPayload.of(source, pushed[source]++)));
        }
      }
      buffer.flush();
      last.join();
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** How fast a count grows, once it has had time to get going. */
  static double rate(AtomicLong count, int seconds) throws InterruptedException {
    Thread.sleep(seconds * 500L);
    long before = count.get();
    long start = System.nanoTime();
    Thread.sleep(seconds * 1000L);
    return (count.get() - before) * 1e9 / (System.nanoTime() - start);
  }
}
