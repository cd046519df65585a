package io.holdfast.workflow.test;

import io.holdfast.api.TimeSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Time that stands still until it is moved, and knows who waits for it.
 *
 * <p>Invariant: a thread is among the parked before it looks at the time, and time moves before the
 * parked are looked at; so a thread either sees the new time or is woken.
 *
 * <p>Thread: any.
 */
final class VirtualTime {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final long NANOS_PER_MS = 1_000_000;
  private static final long SPIN_NANOS = 1_000;

  private final long startMs = START.toEpochMilli();
  private final List<Seat> seats = new CopyOnWriteArrayList<>();
  private final AtomicLong parks = new AtomicLong();
  private volatile long nowMs = startMs;

  long nowMs() {
    return nowMs;
  }

  private long nanos() {
    return (nowMs - startMs) * NANOS_PER_MS;
  }

  /** How often somebody has begun to wait. */
  long parks() {
    return parks.get();
  }

  /** The first time of the wall clock at which a count of nanoseconds is reached. */
  long atMs(long nanos) {
    return startMs + Math.ceilDiv(nanos, NANOS_PER_MS);
  }

  Seat newSeat() {
    Seat seat = new Seat();
    seats.add(seat);
    return seat;
  }

  void remove(Seat seat) {
    seats.remove(seat);
  }

  /** Moves time on, and wakes whoever waited for that. */
  void moveTo(long ms) {
    nowMs = Math.max(nowMs, ms);
    for (Seat seat : seats) {
      seat.parked.forEach(
          (thread, until) -> {
            if (until.nanos <= nanos()) {
              LockSupport.unpark(thread);
            }
          });
    }
  }

  /** Wakes everybody, and waits until each has looked around once. */
  void shake() {
    List<Runnable> looks = new ArrayList<>();
    for (Seat seat : seats) {
      seat.parked.forEach(
          (thread, until) -> {
            LockSupport.unpark(thread);
            looks.add(
                () -> {
                  while (seat.parked.get(thread) == until) {
                    LockSupport.parkNanos(SPIN_NANOS);
                  }
                });
          });
    }
    looks.forEach(Runnable::run);
  }

  /** One park of one thread: an object of its own, so that the next one can be told from it. */
  private static final class Until {
    private final long nanos;

    Until(long nanos) {
      this.nanos = nanos;
    }
  }

  /** This time as some threads see it. */
  final class Seat implements TimeSource {
    private final Map<Thread, Until> parked = new ConcurrentHashMap<>();

    @Override
    public long wallMs() {
      return nowMs;
    }

    @Override
    public long nanos() {
      return VirtualTime.this.nanos();
    }

    @Override
    public void parkUntil(long deadlineNanos) {
      Thread thread = Thread.currentThread();
      Until until = new Until(deadlineNanos);
      parks.incrementAndGet();
      parked.put(thread, until);
      try {
        if (nanos() < deadlineNanos) {
          LockSupport.park(this);
        }
      } finally {
        parked.remove(thread, until);
      }
    }

    /** Whether a thread waits for a time to come. */
    boolean isParked(Thread thread) {
      Until until = parked.get(thread);
      return until != null && until.nanos > nanos() && !thread.isInterrupted();
    }

    /** How many threads wait for a time to come. */
    int parked() {
      return (int) parked.keySet().stream().filter(this::isParked).count();
    }

    /** The first time that somebody waits for; {@link Long#MAX_VALUE} for none. */
    long dueMs() {
      long first =
          parked.values().stream().mapToLong(until -> until.nanos).min().orElse(Long.MAX_VALUE);
      return first == Long.MAX_VALUE ? first : atMs(first);
    }

    /**
     * The time that a thread waits for; {@link Long#MAX_VALUE} if it does not, or not for one
     * before another.
     */
    long dueMs(Thread thread, long beforeNanos) {
      Until until = parked.get(thread);
      return until == null || until.nanos >= beforeNanos ? Long.MAX_VALUE : atMs(until.nanos);
    }
  }
}
