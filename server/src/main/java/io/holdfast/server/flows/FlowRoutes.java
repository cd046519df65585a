package io.holdfast.server.flows;

import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Param;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Query;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import io.holdfast.workflow.admin.DeleteOptions;
import io.holdfast.workflow.admin.FlowAdmin;
import io.holdfast.workflow.admin.FlowLine;
import io.holdfast.workflow.admin.FlowQuery;
import io.holdfast.workflow.admin.HistoryPage;
import io.holdfast.workflow.admin.PurgeFilter;
import io.holdfast.workflow.admin.Purged;
import java.util.List;

/** Looking at flows, and deleting them. */
public final class FlowRoutes {
  static final String TOPIC = "Flows";

  private static final Param STATUS =
      Param.word("status", null, "Only flows that stand there.", FlowJson.STATUSES);
  private static final Param ENDED =
      Param.word(
          "status",
          null,
          "Only flows that ended so.",
          "completed",
          "failed",
          "cancelled",
          "terminated");
  private static final Param NAME = Param.text("name", "Only flows whose code is called so.");
  private static final Param AFTER =
      Param.text("after", "The next of the answer before; nothing for the first.");
  private static final Param LIMIT =
      Param.number("limit", 100, 1, Limits.PAGE_MAX, "Most of the answer.");
  private static final Param EXECUTION =
      Param.number("execution", 0, 0, Long.MAX_VALUE, "Which execution; 0 for the current one.");
  private static final Param FROM =
      Param.number("from", 0, 0, Long.MAX_VALUE, "The number of the first event.");
  private static final Param CASCADE =
      Param.flag("cascade", "Those that it started and waited for go as well.");
  private static final Param FORCE =
      Param.flag("force", "Even if it has not ended; what it has under way is stopped.");
  private static final Param BEFORE =
      Param.time("endedBefore", "Only flows that ended before this time.");
  private static final Param PURGE_LIMIT =
      Param.number("limit", 1_000, 1, PurgeFilter.LIMIT_MAX, "Most flows, children aside.");
  private static final Param DRY_RUN = Param.flag("dryRun", "Only count what would be deleted.");

  /** Flows of one status are not counted much beyond this. */
  private static final long COUNT_MAX = 100_000;

  private final FlowAdmin admin;

  public FlowRoutes(FlowAdmin admin) {
    this.admin = admin;
  }

  public List<Route> routes() {
    return List.of(
        get("/api/v1/flows", "Flows, by status, name and id", this::list)
            .query(STATUS, NAME, AFTER, LIMIT)
            .answers(
                200,
                "a page of them",
                Shape.fields(
                    Shape.required("flows", Shape.array(FlowJson.LINE), "The flows."),
                    Shape.required(
                        "next",
                        Shape.orNull(Shape.TEXT),
                        "What to pass as after; null at the end."))),
        get(
                "/api/v1/flow-counts",
                "How many flows there are, and what waits for them",
                this::counts)
            .answers(200, "counted", FlowJson.COUNTS),
        get("/api/v1/flows/{id}", "One flow, and what it waits for", this::show)
            .answers(200, "there is such a flow", SHOWN),
        get("/api/v1/flows/{id}/tree", "A flow with its children and theirs", this::tree)
            .answers(200, "there is such a flow", FlowJson.TREE),
        get("/api/v1/flows/{id}/history", "What happened to a flow", this::history)
            .query(EXECUTION, FROM, LIMIT)
            .answers(200, "there is such a flow", HISTORY),
        Route.delete(
                "/api/v1/flows/{id}",
                Access.ADMIN,
                TOPIC,
                "Delete a flow with all that is kept of it",
                FlowAnswers.telling(this::delete))
            .audited("flow-delete", "flow")
            .query(CASCADE, FORCE)
            .answers(
                200,
                "it is gone",
                Shape.fields(Shape.required("deleted", Shape.WHOLE, "Flows that are gone."))),
        Route.delete(
                "/api/v1/flows",
                Access.ADMIN,
                TOPIC,
                "Delete flows that have ended, with their children",
                FlowAnswers.telling(this::purge))
            .audited("flow-purge")
            .query(ENDED, NAME, BEFORE, PURGE_LIMIT, DRY_RUN)
            .answers(
                200,
                "done, or counted",
                Shape.fields(
                    Shape.required("matched", Shape.WHOLE, "Flows, children aside."),
                    Shape.required("deleted", Shape.WHOLE, "Flows that are gone, with children."),
                    Shape.required("kept", Shape.WHOLE, "Stayed, as a child has not ended."),
                    Shape.required("more", Shape.FLAG, "Whether there may be further ones."))));
  }

  private static Route get(String path, String summary, Route.Action action) {
    return Route.get(path, Access.READ, TOPIC, summary, FlowAnswers.telling(action));
  }

  private Answer list(Call call) {
    Query query = call.query();
    String status = query.word(STATUS);
    FlowQuery asked =
        FlowQuery.all()
            .name(query.text(NAME))
            .after(query.text(AFTER))
            .limit((int) query.number(LIMIT));
    Page<FlowLine> page =
        admin.list(status == null ? asked : asked.status(FlowJson.status(status)));
    return Answer.ok(FlowDocuments.list(page));
  }

  private Answer counts(Call call) {
    return Answer.ok(FlowDocuments.overview(admin.overview(COUNT_MAX)));
  }

  private Answer show(Call call) {
    String id = call.part("id");
    return Answer.ok(FlowDocuments.show(admin.show(id), admin.executions(id)));
  }

  private static final Shape SHOWN =
      Shape.fields(
          FlowJson.FLOW,
          Shape.required("events", Shape.WHOLE, "How many its current history holds."),
          Shape.required(
              "unreadable", Shape.orNull(Shape.TEXT), "Why its history cannot be read, or null."),
          Shape.required(
              "arriving", FlowJson.ARRIVING, "What it was sent and has not taken in, or null."),
          Shape.required(
              "waitsFor", Shape.array(FlowJson.WAITING), "What it has under way, oldest first."),
          Shape.required("waitsForInAll", Shape.WHOLE, "How many there are."),
          Shape.required(
              "executions",
              Shape.array(
                  Shape.fields(
                      Shape.required("number", Shape.WHOLE, "From 1."),
                      Shape.required("version", Shape.orNull(Shape.TEXT), "Of its code."),
                      Shape.required("startedAt", Shape.orNull(Shape.TIME), "When it began."),
                      Shape.required("endedAt", Shape.orNull(Shape.TIME), "When it ended."),
                      Shape.required("end", Shape.orNull(Shape.TEXT), "How, in words."),
                      Shape.required("events", Shape.WHOLE, "How many it has."))),
              "Those whose histories are kept."));

  private Answer tree(Call call) {
    return Answer.ok(FlowDocuments.tree(admin.tree(call.part("id"))));
  }

  private Answer history(Call call) {
    Query query = call.query();
    HistoryPage page =
        admin.history(
            call.part("id"),
            query.number(EXECUTION),
            query.number(FROM),
            (int) query.number(LIMIT));
    return Answer.ok(FlowDocuments.history(page));
  }

  private static final Shape HISTORY =
      Shape.fields(
          Shape.required("id", Shape.TEXT, "Of the flow."),
          Shape.required("execution", Shape.WHOLE, "Which one."),
          Shape.required("length", Shape.WHOLE, "How many events it has."),
          Shape.required("events", Shape.array(FlowJson.EVENT), "In their order."),
          Shape.required(
              "next", Shape.orNull(Shape.WHOLE), "What to pass as from; null at the end."));

  private Answer delete(Call call) {
    Query query = call.query();
    int deleted =
        admin.delete(call.part("id"), new DeleteOptions(query.flag(CASCADE), query.flag(FORCE)));
    return Answer.ok(new JsonOut().beginObject().put("deleted", deleted).endObject());
  }

  private Answer purge(Call call) {
    Query query = call.query();
    String status = query.word(ENDED);
    String name = query.text(NAME);
    Long beforeMs = query.time(BEFORE);
    if (status == null && name == null && beforeMs == null) {
      throw Problem.required(
          "status", "expected a status, a name or endedBefore, so that not everything is deleted");
    }
    PurgeFilter filter =
        PurgeFilter.ended()
            .name(name)
            .endedBefore(beforeMs == null ? 0 : beforeMs)
            .limit((int) query.number(PURGE_LIMIT));
    Purged purged =
        admin.purge(
            status == null ? filter : filter.status(FlowJson.status(status)), query.flag(DRY_RUN));
    return Answer.ok(FlowDocuments.purged(purged));
  }
}
