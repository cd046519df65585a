package io.holdfast.server.status;

import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.server.access.Audit;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Refusals;
import io.holdfast.server.http.Route;
import java.util.List;
import java.util.Map;

/** Stops new messages or deliveries for a while, in the words of Queen. */
public final class MaintenanceRoutes {
  private static final String PUSHES = "maintenanceMode";
  private static final String POPS = "popMaintenanceMode";

  private static final Field<Boolean> ENABLED =
      Field.required("enabled", Json.FLAG, "Whether it is to be on.")
          .missing("enabled (boolean) is required");
  private static final JsonType<Boolean> BODY = Json.object(in -> in.get(ENABLED), ENABLED);

  /** What is stopped, and what waits meanwhile. */
  private record State(boolean pushes, boolean pops, int waiting, boolean healthy) {}

  private static final JsonType<State> STATE =
      JsonObject.of(State.class)
          .flag(PUSHES, State::pushes, "Whether new messages are refused.")
          .flag(POPS, State::pops, "Whether nothing is delivered.")
          .whole("bufferedMessages", State::waiting, "Commands that wait.")
          .flag("bufferHealthy", State::healthy, "Whether the broker answers.")
          .field("bufferStats", Json.map(Json.TEXT), state -> Map.of(), "Empty.")
          .type();

  private static final JsonType<State> PUSHES_STATE =
      JsonObject.of(State.class)
          .flag(PUSHES, State::pushes, "Whether it is on.")
          .whole("bufferedMessages", State::waiting, "Commands that wait.")
          .flag("bufferHealthy", state -> true, "true.")
          .text(
              "message",
              state -> state.pushes() ? "New messages are refused." : "New messages are taken.",
              "The same in words.")
          .type();

  private static final JsonType<Boolean> POPS_STATE =
      JsonObject.of(Boolean.class)
          .flag(POPS, on -> on, "Whether it is on.")
          .text(
              "message",
              on -> on ? "Nothing is delivered." : "Messages are delivered.",
              "The same in words.")
          .type();

  private final Maintenance maintenance;
  private final Sampler sampler;

  public MaintenanceRoutes(Maintenance maintenance, Sampler sampler) {
    this.maintenance = maintenance;
    this.sampler = sampler;
  }

  public List<Route> routes() {
    return Route.about(
        "Maintenance",
        Route.get("/api/v1/system/maintenance")
            .summary("Whether new messages or deliveries are stopped")
            .forWholeBroker()
            .answers("as it is now", STATE, call -> state()),
        Route.post("/api/v1/system/maintenance", Access.ADMIN)
            .summary("Refuse new messages until it is switched off; settles and pops go on")
            .audited("maintenance")
            .forWholeBroker()
            .body(BODY)
            .answers("it holds, over restarts too", PUSHES_STATE, this::changePushes),
        Route.get("/api/v1/system/maintenance/pop")
            .summary("Whether deliveries are stopped")
            .forWholeBroker()
            .answers("as it is now", POPS_STATE, call -> maintenance.popsStopped()),
        Route.post("/api/v1/system/maintenance/pop", Access.ADMIN)
            .summary(
                "Deliver nothing until it is switched off; pushes and settles go on. A pop that"
                    + " waits already may still be served")
            .audited("maintenance")
            .forWholeBroker()
            .body(BODY)
            .answers("it holds, over restarts too", POPS_STATE, this::changePops));
  }

  private State state() {
    Sample now = sampler.now();
    return new State(
        maintenance.pushesStopped(),
        maintenance.popsStopped(),
        now.stats().mailboxDepth(),
        now.refusal() == null);
  }

  private State changePushes(Call call) {
    boolean on = call.json(BODY);
    Audit.detail("pushes", on ? "stopped" : "taken");
    Refusals.orThrow(maintenance.stopPushes(on));
    return state();
  }

  private boolean changePops(Call call) {
    boolean on = call.json(BODY);
    Audit.detail("pops", on ? "stopped" : "served");
    Refusals.orThrow(maintenance.stopPops(on));
    return on;
  }
}
