package io.holdfast.server.flows;

import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.server.access.Audit;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Route;
import io.holdfast.workflow.admin.FlowAdmin;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiConsumer;

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
    return List.of(
        post("", Access.PUSH, "Start a flow; a repeat changes nothing", this::start)
            .audited("flow-start", "flow")
            .body(START)
            .answers(200, "it is started, or was before", STARTED),
        post("/{id}/raise", Access.PUSH, "Raise an event, also before the start", this::raise)
            .audited("flow-raise", "flow")
            .body(RAISE)
            .answers(200, "it is on its way", DONE),
        post("/{id}/cancel", Access.CONSUME, "Ask a flow to end", reasoned(admin::cancel))
            .audited("flow-cancel", "flow")
            .bodyIfAny(REASONED)
            .answers(200, "it is told", DONE),
        post(
                "/{id}/terminate",
                Access.CONSUME,
                "End a flow without its code",
                reasoned(admin::terminate))
            .audited("flow-terminate", "flow")
            .bodyIfAny(REASONED)
            .answers(200, "it is told", DONE),
        post(
                "/{id}/suspend",
                Access.CONSUME,
                "Make a flow stop for now; what comes is kept",
                reasoned(admin::suspend))
            .audited("flow-suspend", "flow")
            .bodyIfAny(REASONED)
            .answers(200, "it is told", DONE),
        post("/{id}/resume", Access.CONSUME, "Let a suspended flow go on", this::resume)
            .audited("flow-resume", "flow")
            .answers(200, "it is told", DONE),
        post(
                "/{id}/retry",
                Access.CONSUME,
                "Let a blocked flow go on, or a failed one from its failure",
                this::retry)
            .audited("flow-retry", "flow")
            .bodyIfAny(RETRY)
            .answers(200, "it is told", DONE));
  }

  private static Route post(String path, Access access, String summary, Route.Action action) {
    return Route.post(
        "/api/v1/flows" + path, access, FlowRoutes.TOPIC, summary, FlowAnswers.telling(action));
  }

  private static Answer done(Call call) {
    return Answer.ok(DONE, call.part("id"));
  }

  private Answer start(Call call) {
    Values in = call.json(START);
    String id = in.get(ID);
    Audit.detail("flow", id);
    boolean isNew = admin.start(in.get(NAME), in.find(VERSION), id, in.get(INPUT));
    return Answer.ok(STARTED, new Started(id, isNew));
  }

  private Answer raise(Call call) {
    Values in = call.json(RAISE);
    Audit.detail("event", in.get(EVENT));
    admin.raise(call.part("id"), in.get(EVENT), in.get(DATA), in.find(EVENT_ID));
    return done(call);
  }

  private static Route.Action reasoned(BiConsumer<String, String> act) {
    return call -> {
      act.accept(call.part("id"), call.jsonOrEmpty(REASONED));
      return done(call);
    };
  }

  private Answer resume(Call call) {
    admin.resume(call.part("id"));
    return done(call);
  }

  private Answer retry(Call call) {
    admin.retry(call.part("id"), call.jsonOrEmpty(RETRY));
    return done(call);
  }
}
