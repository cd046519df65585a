package io.holdfast.server.flows;

import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Shape;
import io.holdfast.workflow.Failure;
import io.holdfast.workflow.FlowInfo;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.admin.Arriving;
import io.holdfast.workflow.admin.FlowLine;
import io.holdfast.workflow.admin.FlowTree;
import io.holdfast.workflow.admin.HistoryEvent;
import io.holdfast.workflow.admin.Waiting;
import io.holdfast.workflow.history.Parent;
import io.holdfast.workflow.history.TaskKind;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Flows as JSON, and what that looks like. */
final class FlowJson {
  static final String[] STATUSES =
      Stream.of(FlowStatus.values()).map(FlowJson::word).toArray(String[]::new);

  private static final String[] KINDS =
      Stream.of(TaskKind.values()).map(kind -> lower(kind.name())).toArray(String[]::new);

  private FlowJson() {}

  static String word(FlowStatus status) {
    return lower(status.name());
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  static FlowStatus status(String word) {
    return FlowStatus.valueOf(word.toUpperCase(Locale.ROOT));
  }

  static void line(JsonOut out, FlowLine flow) {
    out.beginObject()
        .put("id", flow.id())
        .put("name", flow.name())
        .put("version", flow.version())
        .put("status", word(flow.status()))
        .putTime("startedAt", flow.createdMs())
        .putTime("since", flow.sinceMs())
        .put("hasParent", flow.hasParent())
        .endObject();
  }

  static final Shape LINE =
      Shape.fields(
          Shape.required("id", Shape.TEXT, "Its id."),
          Shape.required("name", Shape.TEXT, "What its code is called."),
          Shape.required("version", Shape.orNull(Shape.TEXT), "The version of its code."),
          Shape.required("status", Shape.words(STATUSES), "Where it stands."),
          Shape.required("startedAt", Shape.TIME, "When it was started."),
          Shape.required("since", Shape.TIME, "When it came into its status."),
          Shape.required("hasParent", Shape.FLAG, "Whether another flow waits for it."));

  static final Shape COUNTS =
      Shape.fields(
          Shape.required(
              "flows",
              Shape.fields(
                  Stream.of(STATUSES)
                      .map(word -> Shape.required(word, Shape.WHOLE, "How many are " + word + "."))
                      .toArray(Shape.Field[]::new)),
              "By status."),
          Shape.required("exact", Shape.FLAG, "False if there are more than were counted."),
          Shape.required(
              "queues",
              Shape.array(
                  Shape.fields(
                      Shape.required("queue", Shape.QUEUE, "Its name."),
                      Shape.required(
                          "tag",
                          Shape.orNull(Shape.TEXT),
                          "Of the activities in it; null for the turns of flows."),
                      Shape.required("waiting", Shape.WHOLE, "Never delivered."),
                      Shape.required("returned", Shape.WHOLE, "To be delivered again."),
                      Shape.required("inFlight", Shape.WHOLE, "With a worker."),
                      Shape.required("delayed", Shape.WHOLE, "Timers, mostly."),
                      Shape.required("dead", Shape.WHOLE, "Dead letters."))),
              "What waits for workers."));

  /** The fields of a flow, in an object that was begun. */
  static JsonOut flow(JsonOut out, FlowInfo flow) {
    out.put("id", flow.id())
        .put("name", flow.name())
        .put("version", flow.version())
        .put("status", word(flow.status()))
        .put("execution", flow.execution())
        .putTime("startedAt", flow.createdMs())
        .putTime("since", flow.sinceMs())
        .put("label", flow.label())
        .put("labelVersion", flow.labelVersion())
        .put("reason", flow.reason())
        .put("messagesKept", flow.kept());
    Parent parent = flow.parent();
    out.put("parent", parent == null ? null : parent.flow());
    failure(out, flow.failure());
    byte[] output = flow.output();
    return output == null ? out.putNull("output") : out.putPayload("output", output);
  }

  private static void failure(JsonOut out, @Nullable Failure failure) {
    if (failure == null) {
      out.putNull("failure");
    } else {
      out.beginObject("failure")
          .put("type", failure.type())
          .put("message", failure.message())
          .put("stack", failure.stack())
          .endObject();
    }
  }

  private static final Shape FAILURE =
      Shape.orNull(
          Shape.fields(
              Shape.required("type", Shape.TEXT, "The class of the exception, or a word."),
              Shape.required("message", Shape.TEXT, "What it said."),
              Shape.required("stack", Shape.orNull(Shape.TEXT), "Where it happened.")));

  static final List<Shape.Field> FLOW =
      List.of(
          Shape.required("id", Shape.TEXT, "Its id."),
          Shape.required("name", Shape.TEXT, "What its code is called."),
          Shape.required("version", Shape.orNull(Shape.TEXT), "The version of its code."),
          Shape.required("status", Shape.words(STATUSES), "Where it stands."),
          Shape.required("execution", Shape.WHOLE, "The current one; 0 before its first turn."),
          Shape.required("startedAt", Shape.TIME, "When it was started."),
          Shape.required("since", Shape.TIME, "When it came into its status."),
          Shape.required("label", Shape.orNull(Shape.TEXT), "What it says of where it stands."),
          Shape.required("labelVersion", Shape.WHOLE, "How often that changed."),
          Shape.required(
              "reason",
              Shape.orNull(Shape.TEXT),
              "Why it is blocked, suspended, failed, cancelled or terminated."),
          Shape.required("messagesKept", Shape.WHOLE, "What is kept for it until it goes on."),
          Shape.required("parent", Shape.orNull(Shape.TEXT), "The flow that waits for it."),
          Shape.required("failure", FAILURE, "How it failed, or null."),
          Shape.required("output", Shape.ANY, "What it answered, or null."),
          Shape.optional("outputBase64", Shape.TEXT, "The same, if it is not JSON."));

  static void waiting(JsonOut out, Waiting waiting) {
    out.beginObject()
        .put("number", waiting.number())
        .put("kind", lower(waiting.kind().name()))
        .put("name", waiting.name())
        .putTime("since", waiting.sinceMs())
        .putTime("dueAt", waiting.dueMs())
        .put("flow", waiting.flow());
    FlowStatus status = waiting.flowStatus();
    out.put("flowStatus", status == null ? null : word(status));
    Waiting.Order order = waiting.work();
    if (order == null) {
      out.putNull("work");
    } else {
      out.beginObject("work")
          .put("tag", waiting.tag())
          .put("state", lower(order.state().name()))
          .put("failures", order.failures())
          .put("deaths", order.deaths())
          .put("worker", order.worker())
          .putTime("leasedUntil", order.untilMs())
          .putTime("againAt", order.againMs())
          .put("error", order.error())
          .put("explain", order.explain())
          .endObject();
    }
    out.endObject();
  }

  static final Shape WAITING =
      Shape.fields(
          Shape.required("number", Shape.WHOLE, "The event that began it."),
          Shape.required("kind", Shape.words(KINDS), "What it is."),
          Shape.required("name", Shape.TEXT, "Of the activity, event or flow; a timer's length."),
          Shape.required("since", Shape.TIME, "When it began."),
          Shape.required("dueAt", Shape.orNull(Shape.TIME), "When a timer is due."),
          Shape.required("flow", Shape.orNull(Shape.TEXT), "The id of a flow."),
          Shape.required(
              "flowStatus",
              Shape.orNull(Shape.words(STATUSES)),
              "Where that stands; null before its first turn."),
          Shape.required(
              "work",
              Shape.orNull(
                  Shape.fields(
                      Shape.required("tag", Shape.TEXT, "Its tag; empty for none."),
                      Shape.required("state", Shape.TEXT, "Of its message."),
                      Shape.required("failures", Shape.WHOLE, "Attempts in vain."),
                      Shape.required("deaths", Shape.WHOLE, "Workers that did not come back."),
                      Shape.required("worker", Shape.orNull(Shape.TEXT), "Who does it now."),
                      Shape.required(
                          "leasedUntil", Shape.orNull(Shape.TIME), "Until when that one has it."),
                      Shape.required(
                          "againAt", Shape.orNull(Shape.TIME), "When it is tried again."),
                      Shape.required(
                          "error", Shape.orNull(Shape.TEXT), "What the last attempt said."),
                      Shape.required("explain", Shape.TEXT, "Where it is, in words."))),
              "An activity that is not done."));

  static void arriving(JsonOut out, @Nullable Arriving arriving) {
    if (arriving == null) {
      out.putNull("arriving");
      return;
    }
    out.beginObject("arriving")
        .put("messages", arriving.messages())
        .putTime("since", arriving.sinceMs())
        .put("taken", arriving.taken())
        .endObject();
  }

  static final Shape ARRIVING =
      Shape.orNull(
          Shape.fields(
              Shape.required(
                  "messages", Shape.WHOLE, "How many, " + Arriving.COUNT_MAX + " at most."),
              Shape.required("since", Shape.TIME, "When the oldest was sent."),
              Shape.required("taken", Shape.FLAG, "Whether a worker has them just now.")));

  static void event(JsonOut out, HistoryEvent event) {
    out.beginObject()
        .put("number", event.number())
        .putTime("time", event.timeMs())
        .put("kind", event.kind())
        .put("words", event.words());
    if (event.task() < 0) {
      out.putNull("task");
    } else {
      out.put("task", event.task());
    }
    if (event.isVoid()) {
      out.put("voidSince", event.voidSince());
    } else {
      out.putNull("voidSince");
    }
    failure(out, event.failure());
    byte[] payload = event.payload();
    (payload == null ? out.putNull("payload") : out.putPayload("payload", payload)).endObject();
  }

  static final Shape EVENT =
      Shape.fields(
          Shape.required("number", Shape.WHOLE, "Its place, from 0."),
          Shape.required("time", Shape.orNull(Shape.TIME), "When it happened."),
          Shape.required("kind", Shape.TEXT, "What it is, in one word."),
          Shape.required("words", Shape.TEXT, "What happened."),
          Shape.required("task", Shape.orNull(Shape.WHOLE), "The task that it is about."),
          Shape.required(
              "voidSince",
              Shape.orNull(Shape.WHOLE),
              "The event with which a retry took this one back; null if it counts."),
          Shape.required("failure", FAILURE, "What went wrong, or null."),
          Shape.required("payload", Shape.ANY, "The value that it carries, or null."),
          Shape.optional("payloadBase64", Shape.TEXT, "The same, if it is not JSON."));

  static void tree(JsonOut out, FlowTree tree) {
    out.beginObject()
        .put("id", tree.flow().id())
        .put("name", tree.flow().name())
        .put("status", word(tree.flow().status()))
        .putTime("since", tree.flow().sinceMs())
        .put("cut", tree.cut())
        .beginArray("children");
    tree.children().forEach(child -> tree(out, child));
    out.endArray().endObject();
  }

  static final Shape TREE =
      Shape.fields(
          Shape.required("id", Shape.TEXT, "Its id."),
          Shape.required("name", Shape.TEXT, "What its code is called."),
          Shape.required("status", Shape.words(STATUSES), "Where it stands."),
          Shape.required("since", Shape.TIME, "When it came into its status."),
          Shape.required("cut", Shape.FLAG, "Whether some of its children are left out."),
          Shape.required("children", Shape.array(Shape.OBJECT), "The same of each child."));
}
