package io.holdfast.engine;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is on its way. It is given once: a second one changes nothing.
 *
 * <p>Thread: any completes it, one awaits it.
 *
 * @param <T> the answer
 */
final class Pending<T> {
  private final AtomicReference<@Nullable T> answer = new AtomicReference<>();
  private volatile @Nullable Thread waiter;

  void complete(T value) {
    if (answer.compareAndSet(null, value)) {
      Thread parked = waiter;
      if (parked != null) {
        LockSupport.unpark(parked);
      }
    }
  }

  /** Waits for the answer; an interrupt is kept for later, because the command is on its way. */
  T await() {
    T value = answer.get();
    if (value != null) {
      return value;
    }
    waiter = Thread.currentThread();
    boolean interrupted = false;
    while ((value = answer.get()) == null) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return value;
  }
}
