package io.holdfast.server.flows;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Page;
import io.holdfast.api.RefusedException;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
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
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looking at flows, and deleting them. */
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
            .answers("done, or counted", FlowJson.PURGED, this::purge));
  }

  /** Routes about flows; what an act on a flow refuses becomes a problem. */
  static List<Route> about(Route... routes) {
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
}
