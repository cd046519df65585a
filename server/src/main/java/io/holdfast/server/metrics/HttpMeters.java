package io.holdfast.server.metrics;

import io.holdfast.server.http.Observer;
import io.holdfast.server.http.Route;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Measures calls, by the path of their route as it is listed: what clients write never becomes a
 * label.
 *
 * <p>Thread: any.
 */
final class HttpMeters implements Observer {
  private static final int STATUS_END = 600;
  private static final String NO_ROUTE = "none";

  // Looked up by what it is: a route is equal only to itself, and has much to compare.
  private final IdentityHashMap<Route, AtomicReferenceArray<@Nullable Latencies>> routes =
      new IdentityHashMap<>();
  private final IdentityHashMap<Route, LongAdder> ignored = new IdentityHashMap<>();
  private final AtomicReferenceArray<@Nullable Latencies> unrouted =
      new AtomicReferenceArray<>(STATUS_END);

  HttpMeters(List<Route> known) {
    for (Route route : known) {
      routes.put(route, new AtomicReferenceArray<>(STATUS_END));
      if (route.tolerant()) {
        ignored.put(route, new LongAdder());
      }
    }
  }

  @Override
  public void answered(@Nullable Route route, int status, long nanos) {
    AtomicReferenceArray<@Nullable Latencies> known = route == null ? null : routes.get(route);
    AtomicReferenceArray<@Nullable Latencies> byStatus = known == null ? unrouted : known;
    Latencies latencies = byStatus.get(status);
    if (latencies == null) {
      Latencies fresh = new Latencies();
      Latencies other = byStatus.compareAndExchange(status, null, fresh);
      latencies = other == null ? fresh : other;
    }
    latencies.record(nanos / 1_000, 1);
  }

  @Override
  public void ignored(Route route, int names) {
    LongAdder counter = ignored.get(route);
    if (counter != null) {
      counter.add(names);
    }
  }

  void add(Families families) {
    List<HistogramDataPointSnapshot> points = new ArrayList<>();
    for (Map.Entry<Route, AtomicReferenceArray<@Nullable Latencies>> entry : routes.entrySet()) {
      Route route = entry.getKey();
      add(points, route.path(), route.method().name(), entry.getValue());
    }
    add(points, NO_ROUTE, NO_ROUTE, unrouted);
    families.add(
        Latencies.family(
            "holdfast_http_request_duration_seconds",
            "Calls that were answered, and how long that took.",
            points));
    families.counter(
        "holdfast_http_ignored_names",
        "Unknown parameters and fields of requests that were ignored.",
        ignored.entrySet().stream().map(HttpMeters::ignoredNames).toList());
  }

  private static Families.Point ignoredNames(Map.Entry<Route, LongAdder> counted) {
    Route route = counted.getKey();
    return Families.Point.of(
        counted.getValue().sum(), "route", route.path(), "method", route.method().name());
  }

  private static void add(
      List<HistogramDataPointSnapshot> points,
      String path,
      String method,
      AtomicReferenceArray<@Nullable Latencies> byStatus) {
    for (int status = 0; status < STATUS_END; status++) {
      Latencies latencies = byStatus.get(status);
      if (latencies != null) {
        points.add(
            latencies.point(
                Labels.of("route", path, "method", method, "status", Integer.toString(status))));
      }
    }
  }
}
