package io.holdfast.bench.cluster;

import io.holdfast.api.Broker;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import java.util.concurrent.locks.LockSupport;

/**
 * Pushes a message every few milliseconds and notes when one was accepted, to tell how long a
 * cluster took none.
 *
 * <p>Thread: its own; any asks.
 */
final class OutageProbe implements AutoCloseable {
  private static final byte[] PAYLOAD = {'1'};
  private static final long PAUSE_NANOS = 10_000_000;

  /** A push that was accepted after this time may have been under way before. */
  private static final long UNDER_WAY_NANOS = 100_000_000;

  private static final long NONE = Long.MAX_VALUE;

  private final Broker broker;
  private final Thread thread;
  private volatile boolean closing;
  private volatile long markNanos;
  private volatile long acceptedNanos = NONE;

  OutageProbe(Broker broker) {
    this.broker = broker;
    this.thread = Thread.ofPlatform().name("probe").daemon().start(this::run);
  }

  private void run() {
    while (!closing) {
      long begun = System.nanoTime();
      try {
        if (broker.push(PushRequest.of(NewMessage.to("probe", PAYLOAD))).isOk()) {
          accepted(begun, System.nanoTime());
        }
      } catch (RuntimeException unreachable) {
        // The next one may be accepted.
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private synchronized void accepted(long begun, long now) {
    boolean later = begun - markNanos > 0 || now - markNanos > UNDER_WAY_NANOS;
    if (later && acceptedNanos == NONE) {
      acceptedNanos = now;
    }
  }

  /** The time from which on an accepted push counts. */
  synchronized void mark() {
    markNanos = System.nanoTime();
    acceptedNanos = NONE;
  }

  /**
   * Waits until a push is accepted that came after the mark.
   *
   * @return the milliseconds between; -1 if there was none in time
   */
  long msUntilAccepted(long msMax) {
    while (acceptedNanos == NONE && System.nanoTime() - markNanos < msMax * 1_000_000) {
      LockSupport.parkNanos(PAUSE_NANOS / 10);
    }
    long accepted = acceptedNanos;
    return accepted == NONE ? -1 : (accepted - markNanos) / 1_000_000;
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
