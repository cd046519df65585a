package io.holdfast.server.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * How long something took, how often, in buckets from a quarter of a millisecond to an hour.
 *
 * <p>Thread: any; threads that record at once do not wait for each other.
 */
final class Latencies {
  private static final double MICROS = 1e6;
  private static final long[] BOUNDS_MICROS = {
    250,
    500,
    1_000,
    2_000,
    5_000,
    10_000,
    25_000,
    50_000,
    100_000,
    250_000,
    500_000,
    1_000_000,
    2_500_000,
    5_000_000,
    10_000_000,
    30_000_000,
    60_000_000,
    300_000_000,
    3_600_000_000L
  };

  private final LongAdder[] buckets = new LongAdder[BOUNDS_MICROS.length + 1];
  private final LongAdder sumMicros = new LongAdder();

  Latencies() {
    for (int i = 0; i < buckets.length; i++) {
      buckets[i] = new LongAdder();
    }
  }

  /** Counts several that took the same time. The clocks of two sides may differ: less is 0. */
  void record(long micros, int count) {
    long time = Math.max(0, micros);
    int at = 0;
    while (at < BOUNDS_MICROS.length && time > BOUNDS_MICROS[at]) {
      at++;
    }
    buckets[at].add(count);
    sumMicros.add(time * count);
  }

  void recordMs(long ms, int count) {
    record(ms * 1_000, count);
  }

  HistogramDataPointSnapshot point(Labels labels) {
    ClassicHistogramBuckets.Builder counts = ClassicHistogramBuckets.builder();
    for (int i = 0; i < buckets.length; i++) {
      double bound =
          i < BOUNDS_MICROS.length ? BOUNDS_MICROS[i] / MICROS : Double.POSITIVE_INFINITY;
      counts.bucket(bound, buckets[i].sum());
    }
    HistogramDataPointSnapshot.Builder point = HistogramDataPointSnapshot.builder();
    point.classicHistogramBuckets(counts.build()).labels(labels);
    point.sum(sumMicros.sum() / MICROS);
    return point.build();
  }

  static HistogramSnapshot family(
      String name, String help, List<HistogramDataPointSnapshot> points) {
    HistogramSnapshot.Builder family = HistogramSnapshot.builder().name(name).help(help);
    points.forEach(family::dataPoint);
    return family.build();
  }

  HistogramSnapshot family(String name, String help) {
    return family(name, help, List.of(point(Labels.EMPTY)));
  }
}
