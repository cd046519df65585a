package io.holdfast.api;

import java.util.concurrent.locks.LockSupport;

/** Where time comes from, and how to wait for it: the system's clocks, or a test's. */
public interface TimeSource {
  /** The wall clock, in epoch milliseconds; it may jump. */
  long wallMs();

  /** A clock that only counts forward, in nanoseconds from an arbitrary origin. */
  long nanos();

  /**
   * Parks the calling thread until it is unparked or {@link #nanos} has reached a deadline. It may
   * return early for no reason, so call it in a loop.
   */
  void parkUntil(long deadlineNanos);

  /** The system's clocks. */
  TimeSource SYSTEM =
      new TimeSource() {
        @Override
        public long wallMs() {
          return System.currentTimeMillis();
        }

        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public void parkUntil(long deadlineNanos) {
          LockSupport.parkNanos(this, Math.max(0, deadlineNanos - System.nanoTime()));
        }
      };
}
