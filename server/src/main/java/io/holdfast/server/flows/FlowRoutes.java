package io.holdfast.server.flows;

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
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.admin.DeleteOptions;
import io.holdfast.workflow.admin.FlowAdmin;
import io.holdfast.workflow.admin.FlowQuery;
import io.holdfast.workflow.admin.PurgeFilter;
import io.holdfast.workflow.admin.Purged;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looking at flows, and deleting them. */
public final class FlowRoutes {
  static final String TOPIC = "Flows";

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
    return List.of(
        get("/api/v1/flows", "Flows, by status, name and id", this::list)
            .query(STATUS, NAME, Paging.AFTER, Paging.LIMIT)
            .answers(200, "a page of them", FlowJson.PAGE),
        get(
                "/api/v1/flow-counts",
                "How many flows there are, and what waits for them",
                this::counts)
            .answers(200, "counted", FlowJson.COUNTS),
        get("/api/v1/flows/{id}", "One flow, and what it waits for", this::show)
            .answers(200, "there is such a flow", FlowJson.SHOWN),
        get("/api/v1/flows/{id}/tree", "A flow with its children and theirs", this::tree)
            .answers(200, "there is such a flow", FlowJson.TREE),
        get("/api/v1/flows/{id}/history", "What happened to a flow", this::history)
            .query(EXECUTION, FROM, Paging.LIMIT)
            .answers(200, "there is such a flow", FlowJson.HISTORY),
        Route.delete(
                "/api/v1/flows/{id}",
                Access.ADMIN,
                TOPIC,
                "Delete a flow with all that is kept of it",
                FlowAnswers.telling(this::delete))
            .audited("flow-delete", "flow")
            .query(CASCADE, FORCE)
            .answers(200, "it is gone", DELETED),
        Route.delete(
                "/api/v1/flows",
                Access.ADMIN,
                TOPIC,
                "Delete flows that have ended, with their children",
                FlowAnswers.telling(this::purge))
            .audited("flow-purge")
            .query(ENDED, NAME, BEFORE, PURGE_LIMIT, DRY_RUN)
            .example("name=order")
            .answers(200, "done, or counted", FlowJson.PURGED));
  }

  private static Route get(String path, String summary, Route.Action action) {
    return Route.get(path, Access.READ, TOPIC, summary, FlowAnswers.telling(action));
  }

  private Answer list(Call call) {
    Values query = call.query();
    FlowStatus status = query.find(STATUS);
    FlowQuery asked =
        FlowQuery.all()
            .name(query.find(NAME))
            .after(query.find(Paging.AFTER))
            .limit(query.get(Paging.LIMIT).intValue());
    return Answer.ok(FlowJson.PAGE, admin.list(status == null ? asked : asked.status(status)));
  }

  private Answer counts(Call call) {
    return Answer.ok(FlowJson.COUNTS, admin.overview(COUNT_MAX));
  }

  private Answer show(Call call) {
    String id = call.part("id");
    return Answer.ok(FlowJson.SHOWN, new FlowJson.Shown(admin.show(id), admin.executions(id)));
  }

  private Answer tree(Call call) {
    return Answer.ok(FlowJson.TREE, admin.tree(call.part("id")));
  }

  private Answer history(Call call) {
    Values query = call.query();
    return Answer.ok(
        FlowJson.HISTORY,
        admin.history(
            call.part("id"),
            query.get(EXECUTION),
            query.get(FROM),
            query.get(Paging.LIMIT).intValue()));
  }

  private Answer delete(Call call) {
    Values query = call.query();
    int deleted =
        admin.delete(call.part("id"), new DeleteOptions(query.get(CASCADE), query.get(FORCE)));
    return Answer.ok(DELETED, deleted);
  }

  private Answer purge(Call call) {
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
    Purged purged =
        admin.purge(status == null ? filter : filter.status(status), query.get(DRY_RUN));
    return Answer.ok(FlowJson.PURGED, purged);
  }
}
