package io.holdfast.server.flows;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Page;
import io.holdfast.api.RefusedException;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.server.access.Audit;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Paging;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.workflow.FlowException;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.admin.DeleteOptions;
import io.holdfast.workflow.admin.FlowAdmin;
import io.holdfast.workflow.admin.FlowLine;
import io.holdfast.workflow.admin.FlowQuery;
import io.holdfast.workflow.admin.HistoryPage;
import io.holdfast.workflow.admin.PurgeFilter;
import io.holdfast.workflow.admin.Purged;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Shows, starts, changes and deletes flows. */
public final class FlowRoutes {
  private static final Field<FlowStatus> STATUS =
      Field.optional("status", FlowJson.STATUS, "Only flows of this status.");
  private static final Field<FlowStatus> ENDED =
      Field.optional(
          "status",
          Json.words(FlowRoutes::ended, "completed", "failed", "cancelled", "terminated"),
          "Only flows that ended so.");
  private static final Field<String> NAME =
      Field.text("name", "Only flows whose code is called so.");
  private static final Field<Long> EXECUTION =
      Field.number("execution", 0, 0, Long.MAX_VALUE, "Which execution; 0 for the current one.");
  private static final Field<Long> FROM =
      Field.number("from", 0, 0, Long.MAX_VALUE, "The number of the first event.");
  private static final Field<Boolean> CASCADE =
      Field.flag("cascade", "Those that it started and waited for go as well.");
  private static final Field<Boolean> FORCE =
      Field.flag("force", "Even if it has not ended; what it has under way is stopped.");
  private static final Field<Long> BEFORE =
      Field.time("endedBefore", "Only flows that ended before this time.");
  private static final Field<Long> PURGE_LIMIT =
      Field.number("limit", 1_000, 1, PurgeFilter.LIMIT_MAX, "Most flows, children aside.");
  private static final Field<Boolean> DRY_RUN =
      Field.flag("dryRun", "Only count what would be deleted.");

  /** Flows of one status are not counted much beyond this. */
  private static final long COUNT_MAX = 100_000;

  private static final JsonType<Integer> DELETED =
      JsonObject.of(Integer.class)
          .whole("deleted", flows -> flows, "The number of flows that were deleted.")
          .type();

  private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

  private static final JsonType<String> DONE =
      JsonObject.of(String.class).text("id", id -> id, "The id of the flow.").type();

  private static final Field<String> ID =
      Field.required("id", Json.TEXT, "Its id.")
          .missing("id: expected the id of the new flow, but there is none");
  private static final Field<String> CODE =
      Field.required("name", Json.TEXT, "The name of its code.")
          .missing("name: expected what the flow is called, but there is none");
  private static final Field<String> VERSION =
      Field.text("version", "The version of its code; else the newest of its worker.");
  private static final Field<byte[]> INPUT =
      Field.optional("input", Json.ANY, NULL, "Its input; else null.");
  private static final JsonType<Values> START = Json.object(in -> in, ID, CODE, VERSION, INPUT);

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

  private static final Field<Long> RETRY_FROM =
      Field.optional(
          "from",
          Json.whole(1, Long.MAX_VALUE),
          -1L,
          "The event that is to happen again, of a failed flow.");
  private static final JsonType<Long> RETRY = Json.object(in -> in.get(RETRY_FROM), RETRY_FROM);

  private final FlowAdmin admin;

  public FlowRoutes(FlowAdmin admin) {
    this.admin = admin;
  }

  private static @Nullable FlowStatus ended(String word) {
    FlowStatus status = FlowJson.STATUS.parse(word);
    return status != null && status.isEnded() ? status : null;
  }

  public List<Route> routes() {
    return about(
        Route.get("/api/v1/flows")
            .summary("Flows, by status, name and id")
            .query(STATUS, NAME, Paging.AFTER, Paging.LIMIT)
            .answers("a page of them", FlowJson.PAGE, this::list),
        Route.get("/api/v1/flow-counts")
            .summary("How many flows there are, and what waits for them")
            .answers("counted", FlowJson.COUNTS, call -> admin.overview(COUNT_MAX)),
        Route.get("/api/v1/flows/{id}")
            .summary("One flow, and what it waits for")
            .answers("there is such a flow", FlowJson.SHOWN, this::show),
        Route.get("/api/v1/flows/{id}/tree")
            .summary("A flow with its children and theirs")
            .answers("there is such a flow", FlowJson.TREE, call -> admin.tree(call.part("id"))),
        Route.get("/api/v1/flows/{id}/history")
            .summary("What happened to a flow")
            .query(EXECUTION, FROM, Paging.LIMIT)
            .answers("there is such a flow", FlowJson.HISTORY, this::history),
        Route.delete("/api/v1/flows/{id}", Access.ADMIN)
            .summary("Delete a flow with all that is kept of it")
            .audited("flow-delete", "flow")
            .query(CASCADE, FORCE)
            .answers("it is gone", DELETED, this::delete),
        Route.delete("/api/v1/flows", Access.ADMIN)
            .summary("Delete flows that have ended, with their children")
            .audited("flow-purge")
            .query(ENDED, NAME, BEFORE, PURGE_LIMIT, DRY_RUN)
            .example("name=order")
            .answers("done, or counted", FlowJson.PURGED, this::purge),
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

  /** Routes about flows; what an act on a flow refuses becomes a problem. */
  private static List<Route> about(Route... routes) {
    return Route.about("Flows", routes).stream()
        .map(route -> route.doing(call -> answer(route.action(), call)))
        .toList();
  }

  private static Answer answer(Route.Action action, Call call) {
    try {
      return action.answer(call);
    } catch (FlowException refused) {
      String text = String.valueOf(refused.getMessage());
      throw switch (refused.reason()) {
        case NOT_FOUND -> Problem.notFound(text);
        case WRONG_STATUS -> Problem.of(409, ErrorCode.WRONG_STATE.name(), text);
        default -> Problem.of(409, refused.reason().name(), text);
      };
    } catch (RefusedException refused) {
      throw Problem.refused(refused.refusal());
    }
  }

  private Page<FlowLine> list(Call call) {
    Values query = call.query();
    FlowStatus status = query.find(STATUS);
    FlowQuery asked =
        FlowQuery.all()
            .name(query.find(NAME))
            .after(query.find(Paging.AFTER))
            .limit(query.get(Paging.LIMIT).intValue());
    return admin.list(status == null ? asked : asked.status(status));
  }

  private FlowJson.Shown show(Call call) {
    String id = call.part("id");
    return new FlowJson.Shown(admin.show(id), admin.executions(id));
  }

  private HistoryPage history(Call call) {
    Values query = call.query();
    return admin.history(
        call.part("id"), query.get(EXECUTION), query.get(FROM), query.get(Paging.LIMIT).intValue());
  }

  private int delete(Call call) {
    Values query = call.query();
    return admin.delete(call.part("id"), new DeleteOptions(query.get(CASCADE), query.get(FORCE)));
  }

  private Purged purge(Call call) {
    Values query = call.query();
    FlowStatus status = query.find(ENDED);
    String name = query.find(NAME);
    Long beforeMs = query.find(BEFORE);
    if (status == null && name == null && beforeMs == null) {
      throw Problem.required(
          "status", "expected a status, a name or endedBefore, so that not everything is deleted");
    }
    PurgeFilter filter =
        PurgeFilter.ended()
            .name(name)
            .endedBefore(beforeMs == null ? 0 : beforeMs)
            .limit(query.get(PURGE_LIMIT).intValue());
    return admin.purge(status == null ? filter : filter.status(status), query.get(DRY_RUN));
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
    return new Started(id, admin.start(in.get(CODE), in.find(VERSION), id, in.get(INPUT)));
  }

  private String raise(Call call) {
    Values in = call.json(RAISE);
    Audit.detail("event", in.get(EVENT));
    return done(call, id -> admin.raise(id, in.get(EVENT), in.get(DATA), in.find(EVENT_ID)));
  }
}
