package io.holdfast.server.status;

import io.holdfast.api.Limits;
import io.holdfast.api.Stats;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Schema;
import io.holdfast.server.http.Refusals;
import io.holdfast.server.http.Route;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Tells what this server is, and how it was set up. */
public final class SystemRoute {
  /** An option's value: a text, a whole number or a truth. */
  private static final JsonType<Map<String, ?>> VALUES =
      JsonType.written(
          Schema.OBJECT,
          (out, values) -> {
            out.beginObject();
            values.forEach(out::putValue);
            out.endObject();
          });

  private record SystemState(Stats stats, About about) {}

  private static final JsonType<SystemState> SYSTEM =
      JsonObject.of(SystemState.class)
          .text("version", system -> Version.text(), "The version of Holdfast.")
          .text("durability", system -> system.stats().durability(), "What an answer promises.")
          .time("time", system -> system.stats().nowMs(), "Now, by the broker's clock.")
          .time("openedAt", system -> system.stats().openedMs(), "When the broker was opened.")
          .whole(
              "uptimeSeconds",
              system -> uptimeSeconds(system.stats()),
              "How long the broker has been open.")
          .whole(
              "clockAheadSeconds",
              system -> ClockWarning.aheadSeconds(system.stats()),
              "How far the broker's clock is ahead of the system clock.")
          .field(
              "java",
              JsonObject.of(Runtime.class)
                  .text("version", java -> property("java.version"), "Its version.")
                  .text("vendor", java -> property("java.vendor"), "Who made it.")
                  .text("vm", java -> property("java.vm.name"), "The virtual machine.")
                  .whole("heapMaxBytes", Runtime::maxMemory, "The largest size of the heap.")
                  .type(),
              system -> Runtime.getRuntime(),
              "The Java runtime.")
          .field(
              "os",
              JsonObject.of(Runtime.class)
                  .text("name", os -> property("os.name"), "Its name.")
                  .text("version", os -> property("os.version"), "Its version.")
                  .text("arch", os -> property("os.arch"), "The architecture.")
                  .whole("processors", Runtime::availableProcessors, "The number of processors.")
                  .type(),
              system -> Runtime.getRuntime(),
              "The operating system.")
          .field(
              "settings",
              VALUES,
              system -> new TreeMap<>(system.about().settings()),
              "The settings it was started with.")
          .object(
              "limits",
              JsonObject.of(SystemState.class)
                  .whole("messagesPerRequest", any -> Limits.BATCH_MAX, "Of a push or a pop.")
                  .whole("operationsPerRequest", any -> Limits.OPERATIONS_MAX, "Of a commit.")
                  .whole("rowsPerPage", any -> Limits.PAGE_MAX, "Of a list.")
                  .whole("headersPerMessage", any -> Limits.HEADERS_MAX, "Of a push.")
                  .whole("waitMs", any -> Limits.WAIT_MS_MAX, "Of a call that waits.")
                  .whole("leaseMs", any -> Limits.LEASE_MS_MAX, "Of a lease.")
                  .whole("liveListeners", any -> Listeners.MAX, "Of /api/v1/live.")
                  .whole(
                      "queuesWithSeries", any -> History.QUEUES_MAX, "Of /api/v1/status/series."),
              "The limits that no setting changes.")
          .object(
              "links",
              JsonObject.of(SystemState.class)
                  .text("docs", any -> "/docs", "The documentation of the routes.")
                  .text("openapi", any -> "/openapi.json", "The same for programs.")
                  .text("metrics", any -> "/metrics", "The metrics.")
                  .text("health", any -> "/health", "The health of the broker."),
              "Where to read on.")
          .type();

  private final About about;

  public SystemRoute(About about) {
    this.about = about;
  }

  public List<Route> routes() {
    return Route.about(
        LiveRoute.TOPIC,
        Route.get("/api/v1/system")
            .summary("What this server is, and how it was set up")
            .forWholeBroker()
            .answers(
                "no secrets among it",
                SYSTEM,
                call -> new SystemState(Refusals.orThrow(call.broker().stats()), about)));
  }

  /** By the system clock, which said when the broker was opened. */
  private static long uptimeSeconds(Stats stats) {
    return (stats.nowMs() - stats.clockAheadMs() - stats.openedMs()) / 1000;
  }

  private static String property(String name) {
    return System.getProperty(name, "");
  }
}
