package io.holdfast.server.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import java.util.concurrent.atomic.LongAdder;

/**
 * How long something took, how often, in buckets from a millisecond to an hour.
 *
 * <p>Thread: any; threads that record at once do not wait for each other.
 */
final class Latencies {
  private static final long[] BOUNDS_MS = {
    1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000,
    3_600_000
  };

  private final LongAdder[] buckets = new LongAdder[BOUNDS_MS.length + 1];
  private final LongAdder sumMs = new LongAdder();

  Latencies() {
    for (int i = 0; i < buckets.length; i++) {
      buckets[i] = new LongAdder();
    }
  }

  /** Counts several that took the same time. The clocks of two sides may differ: less is 0. */
  void record(long ms, int count) {
    long time = Math.max(0, ms);
    int at = 0;
    while (at < BOUNDS_MS.length && time > BOUNDS_MS[at]) {
      at++;
    }
    buckets[at].add(count);
    sumMs.add(time * count);
  }

  HistogramSnapshot snapshot(String name, String help) {
    ClassicHistogramBuckets.Builder counts = ClassicHistogramBuckets.builder();
    for (int i = 0; i < buckets.length; i++) {
      double bound = i < BOUNDS_MS.length ? BOUNDS_MS[i] / 1000.0 : Double.POSITIVE_INFINITY;
      counts.bucket(bound, buckets[i].sum());
    }
    HistogramDataPointSnapshot.Builder point = HistogramDataPointSnapshot.builder();
    point.classicHistogramBuckets(counts.build()).sum(sumMs.sum() / 1000.0);
    return HistogramSnapshot.builder().name(name).help(help).dataPoint(point.build()).build();
  }
}
