package io.holdfast.server.queen;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.message.BrowseRequest;
import io.holdfast.api.message.BrowsedMessage;
import io.holdfast.api.message.MessageState;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Param;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Query;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Lists messages without taking them. */
public final class MessageListRoute {
  static final String TOPIC = "Messages";

  /** Most messages that an offset may skip. */
  static final int OFFSET_MAX = 10_000;

  /** Most queues that one list goes through. */
  static final int QUEUES_MAX = 1_000;

  private static final Param QUEUE = Param.text("queue", "The queue; or else namespace or task.");
  private static final Param PARTITION = Param.text("partition", "Only this partition.");
  private static final Param NAMESPACE =
      Param.text("namespace", "Instead of queue: all queues of this namespace.");
  private static final Param NS = Param.text("ns", "Another name of namespace.");
  private static final Param TASK =
      Param.text("task", "Instead of queue: all queues of this task.");
  private static final Param STATUS =
      Param.word(
          "status",
          null,
          "Only messages that are this, as the group sees it.",
          "pending",
          "processing",
          "completed",
          "dead_letter",
          "delayed",
          "waiting",
          "returned",
          "in_flight",
          "settled",
          "dead");
  private static final Param GROUP =
      Param.text("consumerGroup", PopRequest.QUEUE_MODE, "Whose view of the states.");
  private static final Param FROM = Param.time("from", "Only messages pushed at or after.");
  private static final Param TO =
      Param.time("to", "Only messages pushed up to then; of a date, to the end of that day.");
  private static final Param LIMIT =
      Param.number("limit", 200, 1, Limits.PAGE_MAX, "Most messages of the page.");
  private static final Param OFFSET =
      Param.number("offset", 0, 0, OFFSET_MAX, "Messages to skip; after is cheaper.");
  private static final Param AFTER = Param.text("after", "The next of an earlier page.");

  private final Broker broker;

  public MessageListRoute(Broker broker) {
    this.broker = broker;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/v1/messages",
                Access.READ,
                TOPIC,
                "List messages by queue, partition and lane, in the order of delivery",
                this::list)
            .query(
                QUEUE, PARTITION, NAMESPACE, NS, TASK, STATUS, GROUP, FROM, TO, LIMIT, OFFSET,
                AFTER)
            .answers(200, "a page; it may be short, or empty, although there is a next", SHAPE));
  }

  private Answer list(Call call) {
    Query query = call.query();
    Cursor cursor = Cursor.parse(query.text(AFTER));
    long offset = query.number(OFFSET);
    if (cursor != null && offset > 0) {
      throw Problem.field("offset", "expected offset or after, not both");
    }
    List<QueueInfo> queues = queues(query);
    MessagePage page = new MessagePage(broker, (int) query.number(LIMIT), offset);
    page.gather(queues, wanted(query), cursor);
    return answer(page, queues, query);
  }

  private List<QueueInfo> queues(Query query) {
    String name = query.text(QUEUE);
    String namespace = query.text(query.has(NS) ? NS : NAMESPACE);
    String task = query.text(TASK);
    if (name != null) {
      QueueInfo queue = Refusals.orThrow(broker.queue(name));
      boolean tagged =
          (namespace == null || namespace.equals(queue.options().text(QueueOption.NAMESPACE)))
              && (task == null || task.equals(queue.options().text(QueueOption.TASK)));
      return tagged ? List.of(queue) : List.of();
    }
    if (namespace == null && task == null) {
      throw Problem.required(
          "queue", "queue is required; or name a namespace or a task, to list all their queues");
    }
    List<QueueInfo> queues = new ArrayList<>();
    new AllQueues(broker, namespace, task).visit(null, queues::add);
    if (queues.size() > QUEUES_MAX) {
      throw Problem.field(
          "queue",
          "expected at most " + QUEUES_MAX + " queues at once, but these are " + queues.size());
    }
    return queues;
  }

  private static BrowseRequest wanted(Query query) {
    Span span = Span.of(query, FROM, TO);
    String status = query.word(STATUS);
    Set<MessageState> states = status == null ? Set.of() : MessageJson.states(status);
    return new BrowseRequest(
        "any",
        query.textOrDefault(GROUP),
        query.text(PARTITION),
        states,
        null,
        span.fromMs(),
        span.toMs(),
        null,
        1);
  }

  private Answer answer(MessagePage page, List<QueueInfo> queues, Query query) {
    JsonOut out = new JsonOut().beginObject().beginArray("messages");
    for (MessagePage.Row row : page.rows) {
      BrowsedMessage found = row.found();
      MessageJson.identity(out.beginObject(), found.message())
          .put("namespace", row.queue().options().text(QueueOption.NAMESPACE))
          .put("task", row.queue().options().text(QueueOption.TASK))
          .put("queuePriority", row.queue().options().number(QueueOption.PRIORITY))
          .put("status", MessageJson.status(found.state()))
          .put("state", MessageJson.word(found.state()))
          .put("retryCount", found.failures())
          .putTime("visibleAt", found.visibleAtMs());
      out.putPayload("data", found.message());
      MessageJson.headers(out, found.message()).endObject();
    }
    out.endArray()
        .put("limit", query.number(LIMIT))
        .put("offset", query.number(OFFSET))
        .put("next", page.next == null ? null : page.next.text());
    if (queues.size() == 1) {
      String queue = queues.getFirst().name();
      List<String> groups = new ArrayList<>();
      new AllGroups(broker).visit(GroupsRequest.ofQueue(queue), group -> groups.add(group.group()));
      MessageModes.write(out, groups);
    }
    return Answer.ok(out.endObject());
  }

  private static final Shape SHAPE =
      Shape.fields(
          Shape.required(
              "messages",
              Shape.array(
                  Shape.fields(
                      MessageJson.IDENTITY,
                      Shape.required("namespace", Shape.TEXT, "Its queue's namespace."),
                      Shape.required("task", Shape.TEXT, "Its queue's task."),
                      Shape.required("queuePriority", Shape.WHOLE, "Its queue's priority."),
                      Shape.required(
                          "status",
                          Shape.words(
                              "pending", "processing", "completed", "dead_letter", "delayed"),
                          "Where it is, as the group sees it."),
                      Shape.required(
                          "state",
                          Shape.words(
                              "delayed", "waiting", "returned", "in_flight", "settled", "dead"),
                          "The same in finer words."),
                      Shape.required("retryCount", Shape.WHOLE, "How often it failed."),
                      Shape.required("visibleAt", Shape.TIME, "When it is due, or null."),
                      Shape.required("data", Shape.ANY, "The payload, byte for byte."),
                      Shape.optional(
                          "dataBase64", Shape.TEXT, "The payload if it is not JSON; data is null."),
                      MessageJson.PROBLEM,
                      Shape.optional("headers", Shape.OBJECT, "Its headers, if it has any."))),
              "The messages."),
          Shape.required("limit", Shape.WHOLE, "As asked."),
          Shape.required("offset", Shape.WHOLE, "As asked."),
          Shape.required("next", Shape.TEXT, "Where the next page begins, or null."),
          Shape.optional("mode", MessageModes.SHAPE, "Of one queue: who reads it."));
}
