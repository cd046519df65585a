package io.holdfast.api;

import java.time.Duration;
import java.util.Comparator;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A daemon thread that runs tasks at their time of a {@link TimeSource}.
 *
 * <p>Tasks run one after the other, so they must be short. A task that throws anything, an {@link
 * Error} included, does not end the thread: the failure is reported and the next task runs. The
 * thread starts with the first task.
 *
 * <p>Thread: any may schedule and cancel tasks.
 */
public final class TimerThread implements AutoCloseable {
  /** A task that will run, unless it is cancelled first. */
  public final class ScheduledTask {
    private final long dueNanos;
    private final long number;
    private final Runnable action;

    private ScheduledTask(long dueNanos, long number, Runnable action) {
      this.dueNanos = dueNanos;
      this.number = number;
      this.action = action;
    }

    /** Cancels the task; false if it has run, is running, or was cancelled before. */
    public boolean cancel() {
      synchronized (TimerThread.this) {
        return waiting.remove(this);
      }
    }
  }

  /** By time, then in the order of scheduling. The nanoseconds may wrap, so they are subtracted. */
  private static final Comparator<ScheduledTask> ORDER =
      (one, other) -> {
        int order = Long.signum(one.dueNanos - other.dueNanos);
        return order != 0 ? order : Long.compare(one.number, other.number);
      };

  private final TimeSource time;
  private final String name;
  private final Consumer<Throwable> onFailure;
  private final NavigableSet<ScheduledTask> waiting = new TreeSet<>(ORDER);
  private @Nullable Thread thread;
  private long numbers;
  private boolean closed;

  /**
   * @param name the name of the thread
   * @param onFailure is given whatever a task throws, on this thread
   */
  public TimerThread(TimeSource time, String name, Consumer<Throwable> onFailure) {
    this.time = time;
    this.name = name;
    this.onFailure = onFailure;
  }

  /** Runs a task after a delay. */
  public ScheduledTask after(Duration delay, Runnable action) {
    return at(time.nanos() + delay.toNanos(), action);
  }

  /**
   * Runs a task when the clock's nanoseconds reach a time, or at once if they have. After {@link
   * #close} the task is dropped.
   */
  public synchronized ScheduledTask at(long dueNanos, Runnable action) {
    ScheduledTask task = new ScheduledTask(dueNanos, numbers++, action);
    if (closed) {
      return task;
    }
    waiting.add(task);
    if (thread == null) {
      Thread starting = new Thread(this::run, name);
      starting.setDaemon(true);
      starting.start();
      thread = starting;
    } else if (waiting.first() == task) {
      LockSupport.unpark(thread);
    }
    return task;
  }

  private void run() {
    while (true) {
      ScheduledTask due;
      long untilNanos;
      synchronized (this) {
        if (closed) {
          return;
        }
        ScheduledTask first = waiting.isEmpty() ? null : waiting.first();
        due = first != null && first.dueNanos - time.nanos() <= 0 ? waiting.pollFirst() : null;
        untilNanos = first == null ? time.nanos() + Long.MAX_VALUE / 2 : first.dueNanos;
      }
      if (due == null) {
        time.parkUntil(untilNanos);
      } else {
        run(due);
      }
      // Otherwise an interrupt that a task left behind would keep this thread from parking.
      Thread.interrupted();
    }
  }

  private void run(ScheduledTask task) {
    try {
      task.action.run();
    } catch (Throwable failure) {
      report(failure);
    }
  }

  private void report(Throwable failure) {
    try {
      onFailure.accept(failure);
    } catch (Throwable unreported) {
      // Without memory even the report fails. The tasks that wait matter more.
    }
  }

  /** Ends the thread after the task that runs; tasks that wait are dropped. */
  @Override
  public synchronized void close() {
    closed = true;
    waiting.clear();
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }
}
