package io.holdfast.testkit;

import io.holdfast.api.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * A clock that stands still until a test moves it.
 *
 * <p>Invariant: a thread is in {@code parked} before it looks at the time, and time moves before
 * {@code parked} is looked at; so a thread either sees the new time or is woken.
 *
 * <p>Thread: any.
 */
public final class ManualClock implements TimeSource {
  /** Where every clock starts, unless told otherwise. */
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private record Reading(long wallMs, long nanos) {}

  private final AtomicReference<Reading> now;
  private final Set<Thread> parked = ConcurrentHashMap.newKeySet();

  public ManualClock() {
    this(START);
  }

  public ManualClock(Instant start) {
    now = new AtomicReference<>(new Reading(start.toEpochMilli(), 0));
  }

  @Override
  public long wallMs() {
    return now.get().wallMs();
  }

  @Override
  public long nanos() {
    return now.get().nanos();
  }

  @Override
  public void parkUntil(long deadlineNanos) {
    Thread thread = Thread.currentThread();
    parked.add(thread);
    try {
      if (nanos() < deadlineNanos) {
        LockSupport.park(this);
      }
    } finally {
      parked.remove(thread);
    }
  }

  /** Moves time forward, on both clocks, and wakes whoever waits for it. */
  public void advance(Duration by) {
    if (by.isNegative()) {
      throw new IllegalArgumentException("by: expected time to go forward, but got " + by);
    }
    move(by.toMillis(), by.toNanos());
  }

  /** Moves the wall clock alone, forwards or backwards, as an administrator would. */
  public void jumpWall(Duration by) {
    move(by.toMillis(), 0);
  }

  private void move(long wallMs, long nanos) {
    now.updateAndGet(old -> new Reading(old.wallMs() + wallMs, old.nanos() + nanos));
    parked.forEach(LockSupport::unpark);
  }
}
