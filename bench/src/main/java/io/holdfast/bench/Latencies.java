package io.holdfast.bench;

import java.util.Arrays;

/**
 * Durations of calls, and their percentiles.
 *
 * <p>Thread: any.
 */
public final class Latencies {
  private long[] nanos = new long[1 << 12];
  private int count;

  public synchronized void add(long duration) {
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * count);
    }
    nanos[count++] = duration;
  }

  /** Adds all durations of others. */
  public void addAll(Latencies others) {
    for (long duration : others.copy()) {
      add(duration);
    }
  }

  private synchronized long[] copy() {
    return Arrays.copyOf(nanos, count);
  }

  public synchronized long sumNanos() {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += nanos[i];
    }
    return sum;
  }

  /** The duration that a share of the calls did not exceed, in milliseconds; 0 without calls. */
  public synchronized double percentileMs(double share) {
    if (count == 0) {
      return 0;
    }
    long[] sorted = copy();
    Arrays.sort(sorted);
    return sorted[Math.min(count - 1, (int) (share * count))] / 1e6;
  }
}
