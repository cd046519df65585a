package io.holdfast.client;

import io.holdfast.api.TimeSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Lets threads wait until something has become true, or until a time.
 *
 * <p>Invariant: a thread is known here before it looks, and whoever changes something calls {@link
 * #tell} after the change; so nobody sleeps through it.
 *
 * <p>Thread: any.
 */
public final class Signal {
  private final TimeSource time;
  private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();

  public Signal(TimeSource time) {
    this.time = time;
  }

  /** A deadline that never comes. */
  public long never() {
    return time.nanos() + Long.MAX_VALUE / 2;
  }

  /**
   * Waits until the condition holds.
   *
   * @return whether it holds; false if the deadline came first
   */
  public boolean await(BooleanSupplier condition, long deadlineNanos) throws InterruptedException {
    Thread self = Thread.currentThread();
    waiting.add(self);
    try {
      while (!condition.getAsBoolean()) {
        if (Thread.interrupted()) {
          throw new InterruptedException("interrupted while waiting");
        }
        if (deadlineNanos - time.nanos() <= 0) {
          return false;
        }
        time.parkUntil(deadlineNanos);
      }
      return true;
    } finally {
      waiting.remove(self);
    }
  }

  /** Lets everybody who waits look again. */
  public void tell() {
    waiting.forEach(LockSupport::unpark);
  }
}
