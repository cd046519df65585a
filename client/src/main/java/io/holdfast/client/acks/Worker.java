package io.holdfast.client.acks;

import io.holdfast.api.TimeSource;
import io.holdfast.client.Signal;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that can be stopped: at once while it waits, and otherwise when it is done with what it
 * is at, or when a deadline has passed.
 *
 * <p>Invariant: it is interrupted only inside {@link #interruptibly}, and once it is forced.
 *
 * <p>Thread: any may stop it and wait for its end.
 */
final class Worker {
  private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

  /** How long a forced stop waits for the last action. */
  private static final long LAST_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

  private final TimeSource time;
  private final Thread thread;
  private final Runnable last;
  private final Signal signal;
  private boolean waiting;
  private volatile boolean stopping;
  private volatile boolean forced;
  private volatile boolean ended;

  /**
   * A worker that is not started yet.
   *
   * @param last what to do at the end; if the worker is forced, another thread does it, and the
   *     worker once more when it ends after all
   */
  Worker(String name, TimeSource time, Runnable work, Runnable last) {
    this.time = time;
    this.signal = new Signal(time);
    this.last = last;
    this.thread = new Thread(() -> run(work), name);
    thread.setDaemon(true);
  }

  /** Starts it; if it was stopped before, it only comes to its end. */
  void start() {
    synchronized (this) {
      if (!stopping) {
        thread.start();
        return;
      }
    }
    end();
  }

  private void run(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException unexpected) {
      LOG.error("{} ends: it failed unexpectedly.", thread.getName(), unexpected);
    } finally {
      // The last action must not be cut short by the interrupt that led to it.
      Thread.interrupted();
      end();
    }
  }

  /** Does the last action and lets go who waits for the end. */
  void end() {
    try {
      last.run();
    } finally {
      ended = true;
      signal.tell();
    }
  }

  boolean isStopping() {
    return stopping;
  }

  /** Whether what it is at was interrupted. */
  boolean isForced() {
    return forced;
  }

  void wake() {
    signal.tell();
  }

  /** Calls what may wait, and what a stop interrupts; null if it is stopped already. */
  <T> @Nullable T interruptibly(Supplier<T> call) {
    synchronized (this) {
      // A listener may have left the mark of an interrupt, which would end every wait.
      Thread.interrupted();
      if (stopping) {
        return null;
      }
      waiting = true;
    }
    try {
      return call.get();
    } finally {
      synchronized (this) {
        waiting = false;
        Thread.interrupted();
      }
    }
  }

  /** Waits until a time, until there is reason to go on, or until it is stopped. */
  void pauseUntil(long untilNanos, BooleanSupplier goOn) {
    interruptibly(() -> awaitUnlessInterrupted(() -> stopping || goOn.getAsBoolean(), untilNanos));
  }

  void stop() {
    synchronized (this) {
      stopping = true;
      if (waiting) {
        thread.interrupt();
      }
    }
    wake();
  }

  /**
   * Waits for the end. If it has not come by a deadline, what the worker is at is interrupted, and
   * the last action is done by another thread. False if the worker itself calls this, which cannot
   * wait.
   */
  boolean awaitEnd(long deadlineNanos) {
    if (Thread.currentThread().equals(thread)) {
      return false;
    }
    if (awaitUnlessInterrupted(() -> ended, deadlineNanos)) {
      return true;
    }
    LOG.warn("{} did not stop in time and is interrupted.", thread.getName());
    synchronized (this) {
      forced = true;
      thread.interrupt();
    }
    Thread other = new Thread(this::end, thread.getName() + "-end");
    other.setDaemon(true);
    other.start();
    if (!awaitUnlessInterrupted(() -> ended, time.nanos() + LAST_NANOS_MAX)) {
      LOG.warn("{} has not let go of what it holds yet.", thread.getName());
    }
    return true;
  }

  /** Waits; one who is interrupted does not wait any longer, and stays interrupted. */
  private boolean awaitUnlessInterrupted(BooleanSupplier condition, long deadlineNanos) {
    try {
      return signal.await(condition, deadlineNanos);
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
      return condition.getAsBoolean();
    }
  }
}
