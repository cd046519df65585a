package io.holdfast.server.status;

import io.holdfast.server.access.Audit;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import io.holdfast.server.queen.Refusals;
import java.util.List;

/** Stops new messages or deliveries for a while, in the words of Queen. */
public final class MaintenanceRoutes {
  private static final String TOPIC = "Maintenance";
  private static final String PUSHES = "maintenanceMode";
  private static final String POPS = "popMaintenanceMode";

  private static final Shape BODY =
      Shape.fields(Shape.required("enabled", Shape.FLAG, "Whether it is to be on."));

  private final Maintenance maintenance;
  private final Sampler sampler;

  public MaintenanceRoutes(Maintenance maintenance, Sampler sampler) {
    this.maintenance = maintenance;
    this.sampler = sampler;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/v1/system/maintenance",
                Access.READ,
                TOPIC,
                "Whether new messages or deliveries are stopped",
                this::show)
            .forWholeBroker()
            .answers(
                200,
                "as it is now",
                Shape.fields(
                    Shape.required(PUSHES, Shape.FLAG, "Whether new messages are refused."),
                    Shape.required(POPS, Shape.FLAG, "Whether nothing is delivered."),
                    Shape.required("bufferedMessages", Shape.WHOLE, "Commands that wait."),
                    Shape.required("bufferHealthy", Shape.FLAG, "Whether the broker answers."),
                    Shape.required("bufferStats", Shape.OBJECT, "Empty."))),
        Route.post(
                "/api/v1/system/maintenance",
                Access.ADMIN,
                TOPIC,
                "Refuse new messages until it is switched off; settles and pops go on",
                this::pushes)
            .audited("maintenance")
            .forWholeBroker()
            .body(BODY)
            .answers(
                200,
                "it holds, over restarts too",
                Shape.fields(
                    Shape.required(PUSHES, Shape.FLAG, "Whether it is on."),
                    Shape.required("bufferedMessages", Shape.WHOLE, "Commands that wait."),
                    Shape.required("bufferHealthy", Shape.FLAG, "true."),
                    Shape.required("message", Shape.TEXT, "The same in words."))),
        Route.get(
                "/api/v1/system/maintenance/pop",
                Access.READ,
                TOPIC,
                "Whether deliveries are stopped",
                call -> pops(maintenance.popsStopped()))
            .forWholeBroker()
            .answers(200, "as it is now", pops()),
        Route.post(
                "/api/v1/system/maintenance/pop",
                Access.ADMIN,
                TOPIC,
                "Deliver nothing until it is switched off; pushes and settles go on. A pop that"
                    + " waits already may still be served",
                this::changePops)
            .audited("maintenance")
            .forWholeBroker()
            .body(BODY)
            .answers(200, "it holds, over restarts too", pops()));
  }

  private static Shape pops() {
    return Shape.fields(
        Shape.required(POPS, Shape.FLAG, "Whether it is on."),
        Shape.required("message", Shape.TEXT, "The same in words."));
  }

  private static boolean enabled(Call call) {
    return call.json(MaintenanceRoutes::read);
  }

  private static boolean read(JsonIn in) {
    Boolean enabled = null;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      if (!field.equals("enabled")) {
        throw in.unknown("enabled");
      }
      enabled = in.flag();
    }
    if (enabled == null) {
      throw Problem.required("enabled", "enabled (boolean) is required");
    }
    return enabled;
  }

  private Answer show(Call call) {
    Sample now = sampler.now();
    return Answer.ok(
        new JsonOut()
            .beginObject()
            .put(PUSHES, maintenance.pushesStopped())
            .put(POPS, maintenance.popsStopped())
            .put("bufferedMessages", now.stats().mailboxDepth())
            .put("bufferHealthy", now.refusal() == null)
            .beginObject("bufferStats")
            .endObject()
            .endObject());
  }

  private Answer pushes(Call call) {
    boolean on = enabled(call);
    Audit.detail("pushes", on ? "stopped" : "taken");
    Refusals.orThrow(maintenance.stopPushes(on));
    return Answer.ok(
        new JsonOut()
            .beginObject()
            .put(PUSHES, on)
            .put("bufferedMessages", sampler.now().stats().mailboxDepth())
            .put("bufferHealthy", true)
            .put("message", on ? "New messages are refused." : "New messages are taken.")
            .endObject());
  }

  private Answer changePops(Call call) {
    boolean on = enabled(call);
    Audit.detail("pops", on ? "stopped" : "served");
    Refusals.orThrow(maintenance.stopPops(on));
    return pops(on);
  }

  private static Answer pops(boolean on) {
    return Answer.ok(
        new JsonOut()
            .beginObject()
            .put(POPS, on)
            .put("message", on ? "Nothing is delivered." : "Messages are delivered.")
            .endObject());
  }
}
