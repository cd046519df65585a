package io.holdfast.server.metrics;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Observer;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The metrics of a server: what is measured on the way, and what is asked when somebody looks.
 *
 * <p>Thread: any.
 */
public final class Metrics {
  private static final String TOPIC = "Health and metrics";
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final AtomicBoolean looked = new AtomicBoolean();
  private final BrokerMeters meters;
  private final Broker metered;

  public Metrics(Broker broker, TimeSource time) {
    meters = new BrokerMeters(time, QueueFamilies.SHOWN_MAX);
    metered = new MeteredBroker(broker, meters);
    registry.getPrometheusRegistry().register(new BrokerCollector(broker, meters));
  }

  /** The broker, with everything that goes through it measured. */
  public Broker metered() {
    return metered;
  }

  /** Measures the calls of these routes. */
  public Observer observer(List<Route> routes) {
    return new HttpMeters(registry, routes);
  }

  public List<Route> routes() {
    return List.of(
        route("/metrics", "Metrics in Prometheus text"),
        route("/metrics/prometheus", "Another name of /metrics"));
  }

  private Route route(String path, String summary) {
    return Route.get(path, Access.READ, TOPIC, summary, this::scrape)
        .answers(200, "the metrics; docs/operations.md explains them", Shape.document(PROMETHEUS));
  }

  private Answer scrape(Call call) {
    return Answer.text(PROMETHEUS, text().getBytes(StandardCharsets.UTF_8));
  }

  /** All metrics as they are now. */
  String text() {
    // The JVM takes a while to get these ready, and a server that nobody watches needs none.
    if (looked.compareAndSet(false, true)) {
      JvmMeters.bind(registry);
    }
    return registry.scrape();
  }
}
