package io.holdfast.cli.cluster;

import io.holdfast.api.Result;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.client.remote.RemoteBroker;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A producer and a consumer that use a cluster, and measure how long pushes take.
 *
 * <p>Thread: any.
 */
final class DemoLoad implements AutoCloseable {
  private static final String QUEUE = "demo";
  private static final long PAUSE_NANOS = 10_000_000;
  private static final long WAIT_MS = 5_000;

  private final RemoteBroker broker;
  private final AtomicLong pushed = new AtomicLong();
  private final AtomicLong consumed = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong slowestNanos = new AtomicLong();
  private volatile boolean closed;

  DemoLoad(String... addresses) {
    broker = RemoteBroker.at(addresses);
    Thread.ofVirtual().name("demo-producer").start(() -> repeat(this::push));
    Thread.ofVirtual().name("demo-consumer").start(() -> repeat(this::consume));
  }

  private void repeat(Runnable action) {
    while (!closed) {
      try {
        action.run();
      } catch (UnreachableException away) {
        failed.incrementAndGet();
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private void push() {
    long begun = System.nanoTime();
    byte[] text = ("\"" + pushed.get() + "\"").getBytes(StandardCharsets.UTF_8);
    if (broker.push(PushRequest.of(NewMessage.to(QUEUE, text))).isOk()) {
      pushed.incrementAndGet();
    } else {
      failed.incrementAndGet();
    }
    slowestNanos.accumulateAndGet(System.nanoTime() - begun, Math::max);
    LockSupport.parkNanos(PAUSE_NANOS);
  }

  private void consume() {
    Result<Popped> popped = broker.pop(PopRequest.queue(QUEUE).batch(100).waitMs(WAIT_MS));
    if (popped.isOk() && !popped.orThrow().isEmpty()) {
      broker.settle(SettleRequest.of(Settle.ackAll(popped.orThrow().leaseId())));
      consumed.addAndGet(popped.orThrow().messages().size());
    }
  }

  /** The numbers so far; the slowest push is that since the last report. */
  String report() {
    return "%d pushed, %d consumed, %d calls failed, slowest push %d ms"
        .formatted(
            pushed.get(), consumed.get(), failed.get(), slowestNanos.getAndSet(0) / 1_000_000);
  }

  @Override
  public void close() {
    closed = true;
    broker.close();
  }
}
