package io.holdfast.server.messages;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.message.BrowseRequest;
import io.holdfast.api.message.MessageState;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.json.objects.MessageJson;
import io.holdfast.json.objects.MessageRow;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Pages;
import io.holdfast.server.http.Paging;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Refusals;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.TimeRange;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lists messages without taking them. */
public final class MessageListRoute {
  static final String TOPIC = "Messages";

  /** Most messages that an offset may skip. */
  public static final int OFFSET_MAX = 10_000;

  /** Most queues that one list goes through. */
  static final int QUEUES_MAX = 1_000;

  private static final Field<String> QUEUE =
      Field.text("queue", "The queue; without it, all queues.");
  private static final Field<String> PARTITION = Field.text("partition", "Only this partition.");
  private static final Field<String> NAMESPACE =
      Field.text("namespace", "Only queues of this namespace.");
  private static final Field<String> NS = Field.text("ns", "Another name of namespace.");
  private static final Field<String> TASK = Field.text("task", "Only queues of this task.");
  private static final Field<String> STATUS =
      Field.word(
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
  private static final Field<String> GROUP =
      Field.text("consumerGroup", PopRequest.QUEUE_MODE, "Whose view of the states.");
  private static final Field<Long> FROM = Field.time("from", "Only messages pushed at or after.");
  private static final Field<Long> TO =
      Field.optional(
          "to",
          Json.TIME_END,
          "Only messages pushed up to then; of a date, to the end of that day.");
  private static final Field<Long> LIMIT =
      Field.number("limit", 200, 1, Limits.PAGE_MAX, "Most messages of the page.");
  private static final Field<Long> OFFSET =
      Field.number("offset", 0, 0, OFFSET_MAX, "Messages to skip; after is cheaper.");

  /**
   * The answer.
   *
   * @param groups those of the queue; null if several were asked for
   */
  private record Listed(MessagePage page, Values query, @Nullable List<String> groups) {}

  private static final JsonType<Listed> ANSWER =
      JsonObject.of(Listed.class)
          .list("messages", MessageRow.TYPE, listed -> listed.page().rows, "The messages.")
          .whole("limit", listed -> listed.query().get(LIMIT), "As asked.")
          .whole("offset", listed -> listed.query().get(OFFSET), "As asked.")
          .textOrNull(
              "next",
              listed -> Cursor.text(listed.page().next),
              "Where the next page begins, or null.")
          .optional("mode", MessageJson.MODE, Listed::groups, "Of one queue: who reads it.")
          .type();

  private MessageListRoute() {}

  public static List<Route> routes() {
    return Route.about(
        TOPIC,
        Route.get("/api/v1/messages")
            .summary("List messages by queue, partition and lane, in the order of delivery")
            .query(
                QUEUE,
                PARTITION,
                NAMESPACE,
                NS,
                TASK,
                STATUS,
                GROUP,
                FROM,
                TO,
                LIMIT,
                OFFSET,
                Paging.AFTER)
            .answers(
                "a page; it may be short, or empty, although there is a next",
                ANSWER,
                MessageListRoute::list));
  }

  private static Listed list(Call call) {
    Values query = call.query();
    Cursor cursor = Cursor.of(query, OFFSET);
    Broker broker = call.broker();
    List<QueueInfo> queues = queues(broker, query);
    MessagePage page = new MessagePage(broker, query.get(LIMIT).intValue(), query.get(OFFSET));
    page.gather(queues, wanted(query), cursor);
    List<String> groups =
        queues.size() == 1
            ? Pages.groups(broker, queues.getFirst().name(), null).map(GroupInfo::group).toList()
            : null;
    return new Listed(page, query, groups);
  }

  private static List<QueueInfo> queues(Broker broker, Values query) {
    String name = query.find(QUEUE);
    String namespace = query.find(query.has(NS) ? NS : NAMESPACE);
    String task = query.find(TASK);
    if (name != null) {
      QueueInfo queue = Refusals.orThrow(broker.queue(name));
      boolean tagged =
          (namespace == null || namespace.equals(queue.options().text(QueueOption.NAMESPACE)))
              && (task == null || task.equals(queue.options().text(QueueOption.TASK)));
      return tagged ? List.of(queue) : List.of();
    }
    List<QueueInfo> queues = Pages.queues(broker, namespace, task).toList();
    if (queues.size() > QUEUES_MAX) {
      throw Problem.field(
          "queue",
          "expected at most " + QUEUES_MAX + " queues at once, but these are " + queues.size());
    }
    return queues;
  }

  private static BrowseRequest wanted(Values query) {
    TimeRange range = TimeRange.of(query, FROM, TO);
    String status = query.find(STATUS);
    Set<MessageState> states = status == null ? Set.of() : MessageJson.states(status);
    return new BrowseRequest(
        "any",
        query.get(GROUP),
        query.find(PARTITION),
        states,
        null,
        range.fromMs(),
        range.toMs(),
        null,
        1);
  }
}
