package io.holdfast.engine;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is on its way. It is given once: a second one changes nothing.
 *
 * <p>Thread: any completes it; one awaits it, or its callback runs on the thread that completes it.
 *
 * @param <T> the answer
 */
final class Pending<T> {
  private final AtomicReference<@Nullable T> answer = new AtomicReference<>();
  private final @Nullable Consumer<T> callback;
  private volatile @Nullable Thread waiter;

  /** An answer that a thread awaits. */
  Pending() {
    this.callback = null;
  }

  /**
   * An answer that nobody awaits.
   *
   * @param callback is given the answer; it must not block or throw
   */
  Pending(Consumer<T> callback) {
    this.callback = callback;
  }

  void complete(T value) {
    if (!answer.compareAndSet(null, value)) {
      return;
    }
    if (callback != null) {
      callback.accept(value);
      return;
    }
    Thread parked = waiter;
    if (parked != null) {
      LockSupport.unpark(parked);
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
