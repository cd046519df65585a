package io.holdfast.server.flows;

import io.holdfast.api.Page;
import io.holdfast.api.queue.Counts;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Schema;
import io.holdfast.workflow.Failure;
import io.holdfast.workflow.FlowInfo;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.admin.Arriving;
import io.holdfast.workflow.admin.ExecutionInfo;
import io.holdfast.workflow.admin.FlowDetail;
import io.holdfast.workflow.admin.FlowLine;
import io.holdfast.workflow.admin.FlowTree;
import io.holdfast.workflow.admin.HistoryEvent;
import io.holdfast.workflow.admin.HistoryPage;
import io.holdfast.workflow.admin.Overview;
import io.holdfast.workflow.admin.Purged;
import io.holdfast.workflow.admin.Waiting;
import io.holdfast.workflow.history.TaskKind;
import java.util.List;
import java.util.Locale;

/** Flows as JSON, over HTTP and by the command line. */
public final class FlowJson {
  static final JsonType<FlowStatus> STATUS = Json.constant(FlowStatus.class);

  private static final JsonType<FlowLine> LINE =
      JsonObject.of(FlowLine.class)
          .text("id", FlowLine::id, "Its id.")
          .text("name", FlowLine::name, "The name of its code.")
          .textOrNull("version", FlowLine::version, "The version of its code.")
          .field("status", STATUS, FlowLine::status, "Its status.")
          .time("startedAt", FlowLine::createdMs, "When it was started.")
          .time("since", FlowLine::sinceMs, "When it came into its status.")
          .flag("hasParent", FlowLine::hasParent, "Whether another flow waits for it.")
          .type();

  public static final JsonType<Page<FlowLine>> PAGE = Json.page("flows", LINE, "The flows.");

  private static final JsonType<Overview.Depth> DEPTH =
      JsonObject.of(Overview.Depth.class)
          .queue("queue", Overview.Depth::queue, "Its name.")
          .textOrNull(
              "tag",
              Overview.Depth::tag,
              "The tag of the activities in it; null for the turns of flows.")
          .include(
              JsonObject.of(Counts.class)
                  .whole("waiting", Counts::waiting, "Never delivered.")
                  .whole("returned", Counts::returned, "To be delivered again.")
                  .whole("inFlight", Counts::inFlight, "With a worker.")
                  .whole("delayed", Counts::delayed, "Timers, mostly.")
                  .whole("dead", Counts::dead, "Dead letters."),
              Overview.Depth::counts)
          .type();

  static final JsonType<Overview> COUNTS =
      JsonObject.of(Overview.class)
          .field("flows", byStatus(), all -> all, "By status.")
          .flag("exact", all -> all.flows().exact(), "False if there are more than were counted.")
          .list("queues", DEPTH, Overview::queues, "What waits for workers.")
          .type();

  private static final JsonType<Failure> FAILURE =
      JsonObject.of(Failure.class)
          .text("type", Failure::type, "The class of the exception, or a word.")
          .textOrNull("message", Failure::message, "Its message.")
          .textOrNull("stack", Failure::stack, "Where it happened.")
          .type();

  private static final JsonObject<FlowInfo> FLOW =
      JsonObject.of(FlowInfo.class)
          .text("id", FlowInfo::id, "Its id.")
          .text("name", FlowInfo::name, "The name of its code.")
          .textOrNull("version", FlowInfo::version, "The version of its code.")
          .field("status", STATUS, FlowInfo::status, "Its status.")
          .whole("execution", FlowInfo::execution, "The current one; 0 before its first turn.")
          .time("startedAt", FlowInfo::createdMs, "When it was started.")
          .time("since", FlowInfo::sinceMs, "When it came into its status.")
          .textOrNull("label", FlowInfo::label, "The label that it gave itself.")
          .whole("labelVersion", FlowInfo::labelVersion, "How often the label changed.")
          .textOrNull(
              "reason",
              FlowInfo::reason,
              "Why it is blocked, suspended, failed, cancelled or terminated.")
          .whole("messagesKept", FlowInfo::kept, "Messages that are kept until it goes on.")
          .textOrNull(
              "parent",
              flow -> flow.parent() == null ? null : flow.parent().flow(),
              "The flow that waits for it.")
          .fieldOrNull("failure", FAILURE, FlowInfo::failure, "How it failed, or null.")
          .bytes("output", FlowInfo::output, "Its result, or null.");

  private static final JsonType<Waiting> WORK =
      JsonObject.of(Waiting.class)
          .text("tag", Waiting::tag, "Its tag; empty for none.")
          .include(
              JsonObject.of(Waiting.Order.class)
                  .text(
                      "state",
                      order -> order.state().name().toLowerCase(Locale.ROOT),
                      "The state of its message.")
                  .whole("failures", Waiting.Order::failures, "Attempts that failed.")
                  .whole("deaths", Waiting.Order::deaths, "Attempts whose worker was lost.")
                  .textOrNull("worker", Waiting.Order::worker, "The worker that has it now.")
                  .timeOrNull(
                      "leasedUntil", Waiting.Order::untilMs, "Until when the worker has it.")
                  .timeOrNull("againAt", Waiting.Order::againMs, "When it is tried again.")
                  .textOrNull("error", Waiting.Order::error, "The error of the last attempt.")
                  .text("explain", Waiting.Order::explain, "Its state in words."),
              FlowJson::order)
          .type();

  private static final JsonType<Waiting> WAITING =
      JsonObject.of(Waiting.class)
          .whole("number", Waiting::number, "The event that began it.")
          .field("kind", Json.constant(TaskKind.class), Waiting::kind, "What it is.")
          .text("name", Waiting::name, "Of the activity, event or flow; a timer's length.")
          .time("since", Waiting::sinceMs, "When it began.")
          .timeOrNull("dueAt", Waiting::dueMs, "When a timer is due.")
          .textOrNull("flow", Waiting::flow, "The id of a flow.")
          .fieldOrNull(
              "flowStatus",
              STATUS,
              Waiting::flowStatus,
              "The status of that flow; null before its first turn.")
          .fieldOrNull(
              "work",
              WORK,
              waiting -> waiting.work() == null ? null : waiting,
              "An activity that is not done.")
          .type();

  private static final JsonType<Arriving> ARRIVING =
      JsonObject.of(Arriving.class)
          .whole("messages", Arriving::messages, "How many, " + Arriving.COUNT_MAX + " at most.")
          .time("since", Arriving::sinceMs, "When the oldest was sent.")
          .flag("taken", Arriving::taken, "Whether a worker has them just now.")
          .type();

  private static final JsonType<ExecutionInfo> EXECUTION =
      JsonObject.of(ExecutionInfo.class)
          .whole("number", ExecutionInfo::number, "From 1.")
          .textOrNull("version", ExecutionInfo::version, "The version of its code.")
          .timeOrNull("startedAt", ExecutionInfo::startedMs, "When it began.")
          .timeOrNull("endedAt", ExecutionInfo::endedMs, "When it ended.")
          .textOrNull("end", ExecutionInfo::end, "How it ended, in words.")
          .whole("events", ExecutionInfo::events, "The number of its events.")
          .type();

  /** A flow with the executions whose histories are kept. */
  public record Shown(FlowDetail detail, List<ExecutionInfo> executions) {}

  public static final JsonType<Shown> SHOWN =
      JsonObject.of(Shown.class)
          .include(FLOW, shown -> shown.detail().info())
          .include(
              JsonObject.of(FlowDetail.class)
                  .whole("events", FlowDetail::events, "The length of its current history.")
                  .textOrNull(
                      "unreadable",
                      FlowDetail::unreadable,
                      "Why its history cannot be read, or null.")
                  .fieldOrNull(
                      "arriving",
                      ARRIVING,
                      FlowDetail::arriving,
                      "What it was sent and has not taken in, or null.")
                  .list(
                      "waitsFor",
                      WAITING,
                      FlowDetail::waits,
                      "What it has under way, oldest first.")
                  .whole("waitsForInAll", FlowDetail::waitsInAll, "How many there are."),
              Shown::detail)
          .list("executions", EXECUTION, Shown::executions, "Those whose histories are kept.")
          .type();

  public static final JsonType<FlowTree> TREE =
      JsonObject.of(FlowTree.class)
          .include(
              JsonObject.of(FlowInfo.class)
                  .text("id", FlowInfo::id, "Its id.")
                  .text("name", FlowInfo::name, "The name of its code.")
                  .field("status", STATUS, FlowInfo::status, "Its status.")
                  .time("since", FlowInfo::sinceMs, "When it came into its status."),
              FlowTree::flow)
          .flag("cut", FlowTree::cut, "Whether some of its children are left out.")
          .list(
              "children",
              JsonType.<FlowTree>written(
                  Schema.OBJECT, (out, child) -> FlowJson.TREE.write(out, child)),
              FlowTree::children,
              "The same of each child.")
          .type();

  private static final JsonType<HistoryEvent> EVENT =
      JsonObject.of(HistoryEvent.class)
          .whole("number", HistoryEvent::number, "Its place, from 0.")
          .timeOrNull("time", HistoryEvent::timeMs, "When it happened.")
          .text("kind", HistoryEvent::kind, "What it is, in one word.")
          .text("words", HistoryEvent::words, "What happened.")
          .wholeOrNull("task", HistoryEvent::task, "The task that it is about.")
          .wholeOrNull(
              "voidSince",
              event -> event.isVoid() ? event.voidSince() : -1,
              "The event with which a retry took this one back; null if it counts.")
          .fieldOrNull("failure", FAILURE, HistoryEvent::failure, "What went wrong, or null.")
          .bytes("payload", HistoryEvent::payload, "The value that it carries, or null.")
          .type();

  public static final JsonType<HistoryPage> HISTORY =
      JsonObject.of(HistoryPage.class)
          .text("id", HistoryPage::id, "The id of the flow.")
          .whole("execution", HistoryPage::execution, "Which execution.")
          .whole("length", HistoryPage::length, "The number of its events.")
          .list("events", EVENT, HistoryPage::events, "In their order.")
          .wholeOrNull(
              "next", HistoryPage::next, "The parameter from of the next page; null on the last.")
          .type();

  public static final JsonType<Purged> PURGED =
      JsonObject.of(Purged.class)
          .whole("matched", Purged::matched, "Flows, children aside.")
          .whole("deleted", Purged::deleted, "Flows that were deleted, with children.")
          .whole("kept", Purged::kept, "Flows that stayed because a child has not ended.")
          .flag("more", Purged::more, "Whether there may be further ones.")
          .type();

  private FlowJson() {}

  private static JsonType<Overview> byStatus() {
    JsonObject<Overview> counts = JsonObject.of(Overview.class);
    for (FlowStatus status : FlowStatus.values()) {
      String word = status.name().toLowerCase(Locale.ROOT);
      counts.whole(word, all -> all.flows().of(status), "The number of " + word + " flows.");
    }
    return counts.type();
  }

  private static Waiting.Order order(Waiting waiting) {
    Waiting.Order order = waiting.work();
    if (order == null) {
      throw new IllegalArgumentException("nothing that a worker does: " + waiting);
    }
    return order;
  }
}
