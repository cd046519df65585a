package io.holdfast.server.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.List;

/** Metrics being gathered for one scrape. */
public final class Families {
  /** A value, and of what. */
  public record Point(double value, Labels labels) {
    public static Point of(long value, String... labels) {
      return of((double) value, labels);
    }

    public static Point of(double value, String... labels) {
      return new Point(value, Labels.of(labels));
    }
  }

  private final List<MetricSnapshot> all = new ArrayList<>();

  void add(MetricSnapshot metric) {
    all.add(metric);
  }

  void info(String name, String help, String label, String value) {
    all.add(
        InfoSnapshot.builder()
            .name(name)
            .help(help)
            .dataPoint(InfoDataPointSnapshot.builder().labels(Labels.of(label, value)).build())
            .build());
  }

  public void gauge(String name, String help, long value) {
    gauge(name, help, List.of(Point.of(value)));
  }

  public void gauge(String name, String help, List<Point> points) {
    GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(name).help(help);
    for (Point point : points) {
      gauge.dataPoint(
          GaugeDataPointSnapshot.builder().value(point.value).labels(point.labels).build());
    }
    all.add(gauge.build());
  }

  /** A counter; its name gets {@code _total} behind it. */
  public void counter(String name, String help, long value) {
    counter(name, help, List.of(Point.of(value)));
  }

  public void counter(String name, String help, List<Point> points) {
    CounterSnapshot.Builder counter = CounterSnapshot.builder().name(name).help(help);
    for (Point point : points) {
      counter.dataPoint(
          CounterDataPointSnapshot.builder().value(point.value).labels(point.labels).build());
    }
    all.add(counter.build());
  }

  MetricSnapshots done() {
    return new MetricSnapshots(all);
  }
}
