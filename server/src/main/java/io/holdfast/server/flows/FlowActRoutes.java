package io.holdfast.server.flows;

import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.server.access.Audit;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Route;
import io.holdfast.workflow.admin.FlowAdmin;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Starting flows, telling them something, and making them stop or go on. */
public final class FlowActRoutes {
  private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

  private static final JsonType<String> DONE =
      JsonObject.of(String.class).text("id", id -> id, "The id of the flow.").type();

  private static final Field<String> ID =
      Field.required("id", Json.TEXT, "Its id.")
          .missing("id: expected the id of the new flow, but there is none");
  private static final Field<String> NAME =
      Field.required("name", Json.TEXT, "The name of its code.")
          .missing("name: expected what the flow is called, but there is none");
  private static final Field<String> VERSION =
      Field.text("version", "The version of its code; else the newest of its worker.");
  private static final Field<byte[]> INPUT =
      Field.optional("input", Json.ANY, NULL, "Its input; else null.");
  private static final JsonType<Values> START = Json.object(in -> in, ID, NAME, VERSION, INPUT);

  private record Started(String id, boolean isNew) {}

  private static final JsonType<Started> STARTED =
      JsonObject.of(Started.class)
          .text("id", Started::id, "Its id.")
          .flag("started", Started::isNew, "Whether it is new.")
          .type();

  private static final Field<String> EVENT =
      Field.required("name", Json.TEXT, "The name of the event.")
          .missing("name: expected what the event is called, but there is none");
  private static final Field<byte[]> DATA =
      Field.optional("data", Json.ANY, NULL, "The data of the event; else null.");
  private static final Field<String> EVENT_ID = Field.text("eventId", "Makes a repeat harmless.");
  private static final JsonType<Values> RAISE = Json.object(in -> in, EVENT, DATA, EVENT_ID);

  private static final Field<String> REASON =
      Field.text("reason", "asked for over HTTP", "Why, for its history.");
  private static final JsonType<String> REASONED = Json.object(in -> in.get(REASON), REASON);

  private static final Field<Long> FROM =
      Field.optional(
          "from",
          Json.whole(1, Long.MAX_VALUE),
          -1L,
          "The event that is to happen again, of a failed flow.");
  private static final JsonType<Long> RETRY = Json.object(in -> in.get(FROM), FROM);

  private final FlowAdmin admin;

  public FlowActRoutes(FlowAdmin admin) {
    this.admin = admin;
  }

  public List<Route> routes() {
    return FlowRoutes.about(
        Route.post("/api/v1/flows", Access.PUSH)
            .summary("Start a flow; a repeat changes nothing")
            .audited("flow-start", "flow")
            .body(START)
            .answers("it is started, or was before", STARTED, this::start),
        act("raise", Access.PUSH, "Raise an event, also before the start")
            .body(RAISE)
            .answers("it is on its way", DONE, this::raise),
        reasoned("cancel", "Ask a flow to end", admin::cancel),
        reasoned("terminate", "End a flow without its code", admin::terminate),
        reasoned("suspend", "Make a flow stop for now; what comes is kept", admin::suspend),
        act("resume", Access.CONSUME, "Let a suspended flow go on")
            .answers("it is told", DONE, call -> done(call, admin::resume)),
        act("retry", Access.CONSUME, "Let a blocked flow go on, or a failed one from its failure")
            .bodyIfAny(RETRY)
            .answers(
                "it is told",
                DONE,
                call -> done(call, id -> admin.retry(id, call.jsonOrEmpty(RETRY)))));
  }

  private static Route act(String act, Access access, String summary) {
    return Route.post("/api/v1/flows/{id}/" + act, access)
        .summary(summary)
        .audited("flow-" + act, "flow");
  }

  private static Route reasoned(String act, String summary, BiConsumer<String, String> action) {
    return act(act, Access.CONSUME, summary)
        .bodyIfAny(REASONED)
        .answers(
            "it is told",
            DONE,
            call -> done(call, id -> action.accept(id, call.jsonOrEmpty(REASONED))));
  }

  private static String done(Call call, Consumer<String> act) {
    act.accept(call.part("id"));
    return call.part("id");
  }

  private Started start(Call call) {
    Values in = call.json(START);
    String id = in.get(ID);
    Audit.detail("flow", id);
    return new Started(id, admin.start(in.get(NAME), in.find(VERSION), id, in.get(INPUT)));
  }

  private String raise(Call call) {
    Values in = call.json(RAISE);
    Audit.detail("event", in.get(EVENT));
    return done(call, id -> admin.raise(id, in.get(EVENT), in.get(DATA), in.find(EVENT_ID)));
  }
}
