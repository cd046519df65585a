package io.holdfast.client;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait before the next try: twice as long each time, up to a limit, and spread over
 * half to all of that, so that clients which failed together do not come back together.
 *
 * <p>Thread: one.
 */
public final class Backoff {
  private final long firstNanos;
  private final long maxNanos;
  private long nextNanos;

  public Backoff(Duration first, Duration max) {
    if (first.isNegative() || first.isZero() || max.compareTo(first) < 0) {
      throw new IllegalArgumentException(
          "first: expected more than 0 and at most " + max + ", but got " + first);
    }
    this.firstNanos = first.toNanos();
    this.maxNanos = max.toNanos();
    this.nextNanos = firstNanos;
  }

  /** How long to wait now. */
  public Duration next() {
    long full = nextNanos;
    nextNanos = full > maxNanos / 2 ? maxNanos : full * 2;
    return Duration.ofNanos(full / 2 + ThreadLocalRandom.current().nextLong(full / 2 + 1));
  }

  /** Something went well: the next wait is the first again. */
  public void reset() {
    nextNanos = firstNanos;
  }
}
