package io.holdfast.bench.steps;

import io.holdfast.api.Broker;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.bench.Latencies;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A producer of a queue of its own, which pushes 500 messages a second and times each. */
final class Bystander implements AutoCloseable {
  private static final int PAYLOAD_BYTES = 100;
  private static final long INTERVAL_NANOS = 2_000_000;

  private final Broker broker;
  private final Thread thread = Thread.ofPlatform().name("bystander").unstarted(this::run);
  private volatile Latencies latencies = new Latencies();
  private volatile boolean restarts;
  private volatile boolean closing;
  private volatile @Nullable RuntimeException failure;

  Bystander(Broker broker) {
    this.broker = broker;
  }

  void start() {
    thread.start();
  }

  /** Begins to count anew, with nothing overdue; answers what was counted so far. */
  Latencies next() {
    RuntimeException failed = failure;
    if (failed != null) {
      throw new IllegalStateException("the pushes of the bystander failed", failed);
    }
    Latencies before = latencies;
    latencies = new Latencies();
    restarts = true;
    return before;
  }

  private void run() {
    try {
      long dueNanos = System.nanoTime();
      while (!closing) {
        dueNanos = INTERVAL_NANOS + (restarts ? System.nanoTime() : dueNanos);
        restarts = false;
        LockSupport.parkNanos(dueNanos - System.nanoTime());
        Latencies counted = latencies;
        broker.push(PushRequest.of(NewMessage.to("bystander", new byte[PAYLOAD_BYTES]))).orThrow();
        // From when it was due: a push that waits for the one before it has waited too.
        counted.add(System.nanoTime() - dueNanos);
      }
    } catch (RuntimeException failed) {
      failure = failed;
    }
  }

  @Override
  public void close() {
    closing = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
