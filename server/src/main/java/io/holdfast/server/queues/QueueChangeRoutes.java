package io.holdfast.server.queues;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.queue.Affected;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.PurgeRequest;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Creates, configures, pauses, resumes, empties and deletes queues. */
public final class QueueChangeRoutes {
  private static final Field<String> PARTITION = Field.text("partition", "Only this partition.");
  private static final JsonType<Values> PURGE = Json.object(in -> in, PARTITION);
  private static final JsonType<Values> NO_FIELDS = Json.object(in -> in);

  /**
   * A queue that is gone.
   *
   * @param messages null if there was no such queue
   */
  private record Deleted(String queue, @Nullable Long messages) {
    boolean existed() {
      return messages != null;
    }
  }

  private static final JsonType<Deleted> DELETED =
      JsonObject.of(Deleted.class)
          .queue("queue", Deleted::queue, "The queue.")
          .flag("deleted", Deleted::existed, "Whether it was deleted.")
          .flag("existed", Deleted::existed, "Whether there was one.")
          .optional("messages", Json.WHOLE, Deleted::messages, "Number of messages it held.")
          .optional(
              "message",
              Json.TEXT,
              deleted -> deleted.existed() ? null : "Queue not found, nothing was deleted",
              "Only if there was no such queue.")
          .type();

  private static final JsonType<QueueInfo> PAUSED =
      JsonObject.of(QueueInfo.class)
          .flag("success", queue -> true, "true.")
          .queue("queue", QueueInfo::name, "The queue.")
          .flag("paused", QueueInfo::paused, "Whether it is paused now.")
          .type();

  private record Purged(PurgeRequest request, long messages) {}

  private static final JsonType<Purged> PURGED =
      JsonObject.of(Purged.class)
          .flag("success", purged -> true, "true.")
          .queue("queue", purged -> purged.request().queue(), "The queue.")
          .textOrNull(
              "partition",
              purged -> purged.request().partition(),
              "The partition, or null for all.")
          .whole("purged", Purged::messages, "Number of messages that were removed.")
          .type();

  private static final JsonType<Values> REFRESHED =
      JsonObject.of(Values.class).flag("success", none -> true, "true.").type();

  private static final Field<String> QUEUE =
      Field.required(
              "queue",
              Json.QUEUE,
              "The queue. An empty name is answered as if it were configured, for Queen's"
                  + " queue(''), but no queue is created.")
          .missing("queue is required");
  private static final Field<String> MODE =
      Field.word(
          "mode",
          "merge",
          "merge (default): an option that is absent stays. replace: it gets its default.",
          "merge",
          "replace");

  /** A request to configure a queue. */
  private record Configuration(String queue, OptionFields.Changes changes, boolean replace) {}

  private static final JsonType<Configuration> BODY =
      Json.object(
          QueueChangeRoutes::read,
          OptionFields.ALL.after(OptionFields.NESTED).after(MODE).after(QUEUE));

  /**
   * A queue that was configured.
   *
   * @param id empty if none was created
   */
  private record Configured(String id, Configuration asked, QueueOptions options) {
    OptionFields.QueenOptions queen() {
      return new OptionFields.QueenOptions(options, asked.changes().retentionEnabled());
    }
  }

  private static final JsonType<Configured> CONFIGURED =
      JsonObject.of(Configured.class)
          .flag("configured", queue -> true, "true.")
          .text("queueId", Configured::id, "The queue's number; empty if none was created.")
          .nothing("partitionId", "null: no partition is created.")
          .queue("queue", queue -> queue.asked().queue(), "The queue.")
          .text(
              "namespace",
              queue -> queue.options().text(QueueOption.NAMESPACE),
              "Its namespace, or empty.")
          .text("task", queue -> queue.options().text(QueueOption.TASK), "Its task, or empty.")
          .field(
              "options",
              OptionFields.QUEEN_VALUES,
              Configured::queen,
              "All options as they are now.")
          .type();

  private QueueChangeRoutes() {}

  /** The route that creates and configures. */
  public static List<Route> configuring() {
    return Route.about(
        ResourceRoutes.TOPIC,
        Route.post("/api/v1/configure", Access.CONSUME)
            .summary("Create a queue, or change its options")
            .auditedInside("configure")
            .body(BODY)
            .answers("configured", CONFIGURED, QueueChangeRoutes::configure));
  }

  private static Configuration read(Values in) {
    return new Configuration(
        in.get(QUEUE),
        OptionFields.read(in, "").and(in.find(OptionFields.NESTED)),
        in.get(MODE).equals("replace"));
  }

  private static Configured configure(Call call) {
    Configuration asked = call.json(BODY);
    Map<QueueOption, @Nullable Object> changes = asked.changes().resolve();
    if (asked.queue().isEmpty()) {
      // Queen's client sends it for queue(''), and then neither pushes there nor pops.
      call.ignore("queue");
      return new Configured("", asked, QueueOptions.DEFAULTS.with(changes));
    }
    QueueInfo queue =
        call.ask(Broker::configure, new ConfigureRequest(asked.queue(), changes, asked.replace()));
    return new Configured(Integer.toString(queue.id()), asked, queue.options());
  }

  public static List<Route> routes() {
    return Route.about(
        ResourceRoutes.TOPIC,
        Route.delete("/api/v1/resources/queues/{queue}", Access.ADMIN)
            .summary("Delete a queue and all its messages; an absent queue is no error")
            .auditedInside("delete-queue")
            .answers("it is gone", DELETED, QueueChangeRoutes::delete),
        Route.post("/api/v1/resources/queues/{queue}/pause", Access.ADMIN)
            .summary("Stop deliveries from a queue; pushes and acks continue")
            .auditedInside("pause")
            .answers("it is paused", PAUSED, call -> pause(call, true)),
        Route.post("/api/v1/resources/queues/{queue}/resume", Access.ADMIN)
            .summary("Resume deliveries from a queue")
            .auditedInside("resume")
            .answers("it is not paused", PAUSED, call -> pause(call, false)),
        Route.post("/api/v1/resources/queues/{queue}/purge", Access.ADMIN)
            .summary("Remove the messages of a queue or partition; dead letters stay")
            .auditedInside("purge")
            .bodyIfAny(PURGE)
            .answers("they are gone", PURGED, call -> purge(call, call.jsonOrEmpty(PURGE))),
        Route.delete("/api/v1/queues/{queue}/clear", Access.ADMIN)
            .summary("Remove the messages of a queue or partition; another name of purge")
            .auditedInside("purge")
            .query(PARTITION)
            .answers("they are gone", PURGED, call -> purge(call, call.query())),
        Route.post("/api/v1/stats/refresh", Access.ADMIN)
            .summary("Nothing: every count is always current")
            .traffic()
            .bodyIfAny(NO_FIELDS)
            .answers("always", REFRESHED, call -> call.jsonOrEmpty(NO_FIELDS)));
  }

  private static Deleted delete(Call call) {
    String queue = call.part("queue");
    Result<Affected> deleted = call.broker().deleteQueue(queue);
    if (!deleted.isOk() && deleted.refusal().code() != ErrorCode.NOT_FOUND) {
      throw Problem.refused(deleted.refusal());
    }
    return new Deleted(queue, deleted.isOk() ? deleted.orThrow().count() : null);
  }

  private static QueueInfo pause(Call call, boolean paused) {
    return call.ask((broker, queue) -> broker.pause(queue, paused), call.part("queue"));
  }

  private static Purged purge(Call call, Values in) {
    PurgeRequest request = new PurgeRequest(call.part("queue"), in.find(PARTITION));
    return new Purged(request, call.ask(Broker::purge, request).count());
  }
}
