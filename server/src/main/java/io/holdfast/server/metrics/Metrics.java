package io.holdfast.server.metrics;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.json.Schema;
import io.holdfast.server.access.BadTokens;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.HangUp;
import io.holdfast.server.http.Observer;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Traffic;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of a server: what is measured on the way, and what is asked when somebody looks.
 *
 * <p>Thread: any.
 */
public final class Metrics {
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final List<Consumer<Families>> sources = new CopyOnWriteArrayList<>();
  private final Broker metered;
  private @Nullable PrometheusMeterRegistry registry;

  public Metrics(Broker broker, TimeSource time) {
    BrokerMeters meters = new BrokerMeters(time, QueueFamilies.SHOWN_MAX);
    metered = new MeteredBroker(broker, meters);
    sources.add(families -> BrokerFamilies.add(broker, meters, families));
  }

  /** The broker, with everything that goes through it measured. */
  public Broker metered() {
    return metered;
  }

  /** Adds the tokens that were refused. */
  public void add(BadTokens badTokens) {
    sources.add(
        families ->
            families.counter(
                "holdfast_bad_tokens",
                "Tokens that were unknown, malformed, expired or revoked.",
                badTokens.refused()));
  }

  /** Adds the connections. */
  public void add(Traffic traffic) {
    sources.add(
        families -> {
          families.gauge("holdfast_connections", "Connections of clients.", traffic.connections());
          families.counter(
              "holdfast_hang_ups",
              "Connections that the server ended because of their clients.",
              Arrays.stream(HangUp.values())
                  .map(why -> Families.Point.of(traffic.hangUps(why), "why", why.label()))
                  .toList());
        });
  }

  /** Adds metrics that are read at each scrape. */
  public void add(Consumer<Families> source) {
    sources.add(source);
  }

  /** Measures the calls of these routes; for one server. */
  public Observer observer(List<Route> routes) {
    HttpMeters http = new HttpMeters(routes);
    sources.add(http::add);
    return http;
  }

  public List<Route> routes() {
    return Route.about(
        "Health and metrics",
        route("/metrics", "Metrics in Prometheus text"),
        route("/metrics/prometheus", "Another name of /metrics"));
  }

  private Route route(String path, String summary) {
    return Route.get(path)
        .summary(summary)
        .forWholeBroker()
        .doing(this::scrape)
        .answers(200, "the metrics; docs/operations.md explains them", Schema.document(PROMETHEUS));
  }

  private Answer scrape(Call call) {
    return Answer.text(PROMETHEUS, text().getBytes(StandardCharsets.UTF_8));
  }

  /** All metrics as they are now. */
  String text() {
    return registry().scrape();
  }

  private MetricSnapshots collect() {
    Families families = new Families();
    sources.forEach(source -> source.accept(families));
    return families.done();
  }

  /**
   * Made when somebody looks: it takes the JVM a while, and the first push must not wait for it.
   */
  private synchronized PrometheusMeterRegistry registry() {
    PrometheusMeterRegistry made = registry;
    if (made == null) {
      made = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      JvmMeters.bind(made);
      made.getPrometheusRegistry().register((MultiCollector) this::collect);
      registry = made;
    }
    return made;
  }
}
