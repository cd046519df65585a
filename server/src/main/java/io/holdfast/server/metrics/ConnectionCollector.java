package io.holdfast.server.metrics;

import io.holdfast.server.http.HangUp;
import io.holdfast.server.http.Traffic;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Arrays;

/** Tells how many connections there are, and why others were ended. */
final class ConnectionCollector implements MultiCollector {
  private final Traffic traffic;

  ConnectionCollector(Traffic traffic) {
    this.traffic = traffic;
  }

  @Override
  public MetricSnapshots collect() {
    Families families = new Families();
    families.gauge("holdfast_connections", "Connections of clients.", traffic.connections());
    families.counter(
        "holdfast_hang_ups",
        "Connections that the server ended because of their clients.",
        Arrays.stream(HangUp.values())
            .map(why -> Families.Point.of(traffic.hangUps(why), "why", why.label()))
            .toList());
    return families.done();
  }
}
