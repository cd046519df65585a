package io.holdfast.server.status;

import io.holdfast.api.Stats;

/**
 * How the store writes.
 *
 * @param fsyncMs how long one took, on average
 */
public record StoreRates(double fsyncMs, double fsyncPerSecond, double batchPerSecond) {
  static final StoreRates NONE = new StoreRates(0, 0, 0);
  private static final double MS_NANOS = 1e6;

  static StoreRates of(Stats before, Stats now, long nanos) {
    long synced = now.synced() - before.synced();
    if (nanos <= 0 || synced < 0) {
      return NONE;
    }
    double seconds = nanos / 1e9;
    return new StoreRates(
        synced == 0 ? 0 : (now.syncNanos() - before.syncNanos()) / MS_NANOS / synced,
        synced / seconds,
        (now.batches() - before.batches()) / seconds);
  }
}
