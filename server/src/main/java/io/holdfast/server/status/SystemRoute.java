package io.holdfast.server.status;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.Stats;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import io.holdfast.server.queen.Refusals;
import java.util.List;
import java.util.TreeMap;

/** Tells what this server is, and how it was set up. */
public final class SystemRoute {
  private final Broker broker;
  private final About about;

  public SystemRoute(Broker broker, About about) {
    this.broker = broker;
    this.about = about;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/v1/system",
                Access.READ,
                LiveRoute.TOPIC,
                "What this server is, and how it was set up",
                this::system)
            .forWholeBroker()
            .answers(
                200,
                "no secrets among it",
                Shape.fields(
                    Shape.required("version", Shape.TEXT, "Of Holdfast."),
                    Shape.required("durability", Shape.TEXT, "What an answer promises."),
                    Shape.required("time", Shape.TIME, "Now, by the broker's clock."),
                    Shape.required("openedAt", Shape.TIME, "When the broker was opened."),
                    Shape.required("uptimeSeconds", Shape.WHOLE, "How long that is."),
                    Shape.required(
                        "clockAheadSeconds",
                        Shape.WHOLE,
                        "How far the broker's clock is ahead of the system clock."),
                    Shape.required("java", Shape.OBJECT, "What runs it."),
                    Shape.required("os", Shape.OBJECT, "What that runs on."),
                    Shape.required("settings", Shape.OBJECT, "What it was started with."),
                    Shape.required("limits", Shape.OBJECT, "What no setting changes."),
                    Shape.required("links", Shape.OBJECT, "Where to read on."))));
  }

  private Answer system(Call call) {
    Stats stats = Refusals.orThrow(broker.stats());
    JsonOut out =
        new JsonOut(2_048)
            .beginObject()
            .put("version", Version.text())
            .put("durability", stats.durability())
            .putTime("time", stats.nowMs())
            .putTime("openedAt", stats.openedMs())
            .put("uptimeSeconds", uptimeSeconds(stats))
            .put("clockAheadSeconds", ClockWarning.aheadSeconds(stats));
    out.beginObject("java");
    property(out, "version", "java.version");
    property(out, "vendor", "java.vendor");
    property(out, "vm", "java.vm.name");
    out.put("heapMaxBytes", Runtime.getRuntime().maxMemory()).endObject().beginObject("os");
    property(out, "name", "os.name");
    property(out, "version", "os.version");
    property(out, "arch", "os.arch");
    out.put("processors", Runtime.getRuntime().availableProcessors()).endObject();
    out.beginObject("settings");
    new TreeMap<>(about.settings()).forEach(out::putValue);
    limits(out.endObject().beginObject("limits"));
    return Answer.ok(
        out.endObject()
            .beginObject("links")
            .put("docs", "/docs")
            .put("openapi", "/openapi.json")
            .put("metrics", "/metrics")
            .put("health", "/health")
            .endObject()
            .endObject());
  }

  /** By the system clock, which said when the broker was opened. */
  private static long uptimeSeconds(Stats stats) {
    return (stats.nowMs() - stats.clockAheadMs() - stats.openedMs()) / 1000;
  }

  private static void property(JsonOut out, String name, String property) {
    out.put(name, System.getProperty(property));
  }

  private static void limits(JsonOut out) {
    out.put("messagesPerRequest", Limits.BATCH_MAX)
        .put("operationsPerRequest", Limits.OPERATIONS_MAX)
        .put("rowsPerPage", Limits.PAGE_MAX)
        .put("headersPerMessage", Limits.HEADERS_MAX)
        .put("waitMs", Limits.WAIT_MS_MAX)
        .put("leaseMs", Limits.LEASE_MS_MAX)
        .put("liveListeners", Listeners.MAX)
        .put("queuesWithSeries", History.QUEUES_MAX);
  }
}
