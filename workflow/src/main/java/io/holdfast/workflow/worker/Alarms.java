package io.holdfast.workflow.worker;

import io.holdfast.api.TimeSource;
import java.util.PriorityQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one timer of a worker: does short things at their time.
 *
 * <p>Thread: its own for what is done; any for the rest.
 */
final class Alarms implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Alarms.class);
  private static final long NANOS_PER_MS = 1_000_000;
  private static final long LONGEST_NANOS = 3_600L * 1_000 * NANOS_PER_MS;

  /** Something that is to be done, unless it is called off before. */
  static final class Alarm implements Comparable<Alarm> {
    private final long atNanos;
    private final Runnable action;
    private volatile boolean off;

    private Alarm(long atNanos, Runnable action) {
      this.atNanos = atNanos;
      this.action = action;
    }

    void cancel() {
      off = true;
    }

    @Override
    public int compareTo(Alarm other) {
      return Long.signum(atNanos - other.atNanos);
    }
  }

  private final TimeSource time;
  private final PriorityQueue<Alarm> queue = new PriorityQueue<>();
  private final Thread thread;
  private volatile boolean closed;

  Alarms(TimeSource time, String name) {
    this.time = time;
    this.thread = Thread.ofPlatform().name(name).daemon().start(this::run);
  }

  Alarm in(long ms, Runnable action) {
    Alarm alarm = new Alarm(time.nanos() + ms * NANOS_PER_MS, action);
    boolean first;
    synchronized (queue) {
      queue.add(alarm);
      first = alarm.equals(queue.peek());
    }
    if (first) {
      LockSupport.unpark(thread);
    }
    return alarm;
  }

  private void run() {
    while (!closed) {
      Alarm due = due();
      if (due == null) {
        time.parkUntil(nextNanos());
      } else if (!due.off) {
        try {
          due.action.run();
        } catch (RuntimeException e) {
          LOG.warn("Something that was to be done at a time failed.", e);
        }
      }
    }
  }

  private @Nullable Alarm due() {
    synchronized (queue) {
      while (!queue.isEmpty() && queue.peek().off) {
        queue.poll();
      }
      Alarm first = queue.peek();
      return first == null || first.atNanos - time.nanos() > 0 ? null : queue.poll();
    }
  }

  private long nextNanos() {
    synchronized (queue) {
      Alarm first = queue.peek();
      return first == null ? time.nanos() + LONGEST_NANOS : first.atNanos;
    }
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
