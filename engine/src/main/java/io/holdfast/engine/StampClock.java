package io.holdfast.engine;

import io.holdfast.api.TimeSource;

/**
 * The time of stamps: it counts with the monotonic clock and is steered towards the wall clock, so
 * that it never goes back, stands still or leaps, whatever the wall does.
 *
 * <p>Thread: any; a reading is never less than one before it.
 */
final class StampClock {
  /** Behind the wall it runs at most this many times as fast as time. */
  private static final int HURRY = 2;

  /** Ahead of the wall it leaves out one part in this many. */
  private static final int DAWDLE = 200;

  /** How far behind the wall it begins at most when it takes over. */
  private static final long GRACE_MS = 10_000;

  /** How often it tries to read both clocks at one moment. */
  private static final int READ_TRIES = 3;

  private static final long NANOS_PER_MS = 1_000_000;

  private final TimeSource time;
  private long readAtNanos;
  private long nowNanos;

  /** Time ahead of the wall of which too little was left out so far, because it was so short. */
  private long dawdled;

  /**
   * @param atLeastMs the last stamp of an earlier run, which this one must not go behind
   */
  StampClock(TimeSource time, long atLeastMs) {
    this.time = time;
    this.readAtNanos = time.nanos();
    this.nowNanos = Math.max(time.wallMs(), atLeastMs) * NANOS_PER_MS;
  }

  /** Goes on from a time, if that is later: the last stamp of rows that came from elsewhere. */
  synchronized void raise(long atLeastMs) {
    nowNanos = Math.max(nowNanos, atLeastMs * NANOS_PER_MS);
  }

  /** How far it is ahead of the wall clock; negative if it is behind. */
  synchronized long aheadMs() {
    return nowMs() - time.wallMs();
  }

  /**
   * Continues the stamps of another node. Time that has passed since its last one is caught up at
   * twice the speed, at most the last ten seconds of it: consumers extend their leases first, which
   * they could not do while there was no leader.
   */
  synchronized void takeOver(long lastMs) {
    long wallMs = time.wallMs();
    readAtNanos = time.nanos();
    nowNanos = (lastMs == 0 ? wallMs : Math.max(lastMs, wallMs - GRACE_MS)) * NANOS_PER_MS;
  }

  /** Epoch milliseconds. */
  synchronized long nowMs() {
    long before = time.nanos();
    long wallNanos = time.wallMs() * NANOS_PER_MS;
    long readNanos = time.nanos();
    for (int tries = READ_TRIES; tries > 0 && readNanos - before > NANOS_PER_MS; tries--) {
      // Both clocks must tell of one moment, or the difference would be taken for a wrong wall.
      before = time.nanos();
      wallNanos = time.wallMs() * NANOS_PER_MS;
      readNanos = time.nanos();
    }
    long passed = Math.max(0, readNanos - readAtNanos);
    readAtNanos = readNanos;
    long steady = nowNanos + passed;
    if (steady < wallNanos) {
      nowNanos = Math.min(wallNanos, steady + (HURRY - 1) * passed);
    } else if (steady > wallNanos + NANOS_PER_MS) {
      dawdled += passed;
      nowNanos = Math.max(Math.min(steady, wallNanos), steady - dawdled / DAWDLE);
      dawdled %= DAWDLE;
    } else {
      nowNanos = steady;
    }
    return nowNanos / NANOS_PER_MS;
  }
}
