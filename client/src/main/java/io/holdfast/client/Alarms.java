package io.holdfast.client;

import io.holdfast.api.TimeSource;
import java.util.PriorityQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that calls things when their time has come.
 *
 * <p>What it calls must be short: it holds up all that comes after. What throws is logged, and the
 * thread goes on.
 *
 * <p>Thread: any may set and cancel alarms.
 */
public final class Alarms implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Alarms.class);

  /** Something that will be called, unless it is cancelled before. */
  public final class Alarm implements Comparable<Alarm> {
    private final long dueNanos;
    private final long number;
    private final Runnable action;

    private Alarm(long dueNanos, long number, Runnable action) {
      this.dueNanos = dueNanos;
      this.number = number;
      this.action = action;
    }

    /** Whether it was cancelled in time: it will not be called. */
    public boolean cancel() {
      synchronized (Alarms.this) {
        return waiting.remove(this);
      }
    }

    @Override
    public int compareTo(Alarm other) {
      // Nanoseconds of a monotonic clock may wrap: only their difference means something.
      int order = Long.signum(dueNanos - other.dueNanos);
      return order != 0 ? order : Long.compare(number, other.number);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(number);
    }
  }

  private final TimeSource time;
  private final PriorityQueue<Alarm> waiting = new PriorityQueue<>();
  private final Thread thread;
  private long numbers;
  private boolean closed;

  public Alarms(TimeSource time, String threadName) {
    this.time = time;
    this.thread = new Thread(this::run, threadName);
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Calls something when the clock's nanoseconds have come to a moment; at once if they have.
   *
   * @throws IllegalStateException if this is closed
   */
  public Alarm at(long dueNanos, Runnable action) {
    Alarm alarm;
    synchronized (this) {
      if (closed) {
        throw new IllegalStateException("the alarms are closed");
      }
      alarm = new Alarm(dueNanos, numbers++, action);
      waiting.add(alarm);
    }
    LockSupport.unpark(thread);
    return alarm;
  }

  private void run() {
    while (true) {
      Alarm due;
      long until;
      synchronized (this) {
        if (closed) {
          return;
        }
        Alarm first = waiting.peek();
        due = first != null && first.dueNanos - time.nanos() <= 0 ? waiting.poll() : null;
        until = first == null ? time.nanos() + Long.MAX_VALUE / 2 : first.dueNanos;
      }
      if (due == null) {
        time.parkUntil(until);
      } else {
        call(due);
      }
    }
  }

  private static void call(Alarm alarm) {
    try {
      alarm.action.run();
    } catch (RuntimeException failed) {
      LOG.error("What was to be done at its time failed.", failed);
    }
  }

  /** Drops what has not been called yet. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      waiting.clear();
    }
    LockSupport.unpark(thread);
  }
}
