package io.holdfast.server.metrics;

import io.holdfast.server.http.Observer;
import io.holdfast.server.http.Route;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.LongStream;
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
  private static final Duration[] BOUNDS =
      LongStream.of(1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final MeterRegistry registry;
  // Looked up by what it is: a route is equal only to itself, and has much to compare.
  private final IdentityHashMap<Route, AtomicReferenceArray<@Nullable Timer>> timers =
      new IdentityHashMap<>();
  private final AtomicReferenceArray<@Nullable Timer> unrouted =
      new AtomicReferenceArray<>(STATUS_END);

  HttpMeters(MeterRegistry registry, List<Route> routes) {
    this.registry = registry;
    for (Route route : routes) {
      timers.put(route, new AtomicReferenceArray<>(STATUS_END));
    }
  }

  @Override
  public void answered(@Nullable Route route, int status, long nanos) {
    AtomicReferenceArray<@Nullable Timer> known = route == null ? null : timers.get(route);
    AtomicReferenceArray<@Nullable Timer> byStatus = known == null ? unrouted : known;
    Timer timer = byStatus.get(status);
    if (timer == null) {
      timer =
          known == null || route == null ? timer(NO_ROUTE, NO_ROUTE, status) : of(route, status);
      byStatus.set(status, timer);
    }
    timer.record(nanos, TimeUnit.NANOSECONDS);
  }

  private Timer of(Route route, int status) {
    return timer(route.path(), route.method().name(), status);
  }

  private Timer timer(String path, String method, int status) {
    return Timer.builder("holdfast.http.request.duration")
        .description("Calls that were answered, and how long that took.")
        .tag("route", path)
        .tag("method", method)
        .tag("status", Integer.toString(status))
        .serviceLevelObjectives(BOUNDS)
        .register(registry);
  }
}
