package io.holdfast.server.metrics;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.json.Schema;
import io.holdfast.server.access.BadTokens;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Observer;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Traffic;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of a server: what is measured on the way, and what is asked when somebody looks.
 *
 * <p>Thread: any.
 */
public final class Metrics {
  private static final String TOPIC = "Health and metrics";
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final List<MultiCollector> collectors = new CopyOnWriteArrayList<>();
  private final Broker metered;
  private @Nullable PrometheusMeterRegistry registry;

  public Metrics(Broker broker, TimeSource time) {
    BrokerMeters meters = new BrokerMeters(time, QueueFamilies.SHOWN_MAX);
    metered = new MeteredBroker(broker, meters);
    collectors.add(new BrokerCollector(broker, meters));
  }

  /** The broker, with everything that goes through it measured. */
  public Broker metered() {
    return metered;
  }

  /** Tells of tokens that were refused as well. */
  public void tellOf(BadTokens badTokens) {
    collectors.add(new AccessCollector(badTokens));
  }

  /** Tells of connections as well. */
  public void tellOf(Traffic traffic) {
    collectors.add(new ConnectionCollector(traffic));
  }

  /** Tells of the cluster as well. */
  public void tellOf(ClusterMetrics cluster) {
    collectors.add(cluster);
  }

  /** Measures the calls of these routes; for one server. */
  public Observer observer(List<Route> routes) {
    HttpMeters http = new HttpMeters(routes);
    collectors.add(http);
    return http;
  }

  public List<Route> routes() {
    return List.of(
        route("/metrics", "Metrics in Prometheus text"),
        route("/metrics/prometheus", "Another name of /metrics"));
  }

  private Route route(String path, String summary) {
    return Route.get(path, Access.READ, TOPIC, summary, this::scrape)
        .forWholeBroker()
        .answers(200, "the metrics; docs/operations.md explains them", Schema.document(PROMETHEUS));
  }

  private Answer scrape(Call call) {
    return Answer.text(PROMETHEUS, text().getBytes(StandardCharsets.UTF_8));
  }

  /** All metrics as they are now. */
  String text() {
    return registry().scrape();
  }

  /**
   * Made when somebody looks: it takes the JVM a while, and the first push must not wait for it.
   */
  private synchronized PrometheusMeterRegistry registry() {
    PrometheusMeterRegistry made = registry;
    if (made == null) {
      made = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      JvmMeters.bind(made);
      collectors.forEach(made.getPrometheusRegistry()::register);
      registry = made;
    }
    return made;
  }
}
