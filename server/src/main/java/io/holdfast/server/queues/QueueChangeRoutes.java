package io.holdfast.server.queues;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.queue.Affected;
import io.holdfast.api.queue.PurgeRequest;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Refusals;
import io.holdfast.server.http.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Pauses, resumes, empties and deletes queues. */
public final class QueueChangeRoutes {
  private static final String TOPIC = ResourceRoutes.TOPIC;
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

  private record Paused(String queue, boolean paused) {}

  private static final JsonType<Paused> PAUSED =
      JsonObject.of(Paused.class)
          .flag("success", paused -> true, "true.")
          .queue("queue", Paused::queue, "The queue.")
          .flag("paused", Paused::paused, "Whether it is paused now.")
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

  private static final JsonType<Boolean> REFRESHED =
      JsonObject.of(Boolean.class).flag("success", done -> done, "true.").type();

  private QueueChangeRoutes() {}

  public static List<Route> routes() {
    return List.of(
        Route.delete(
                "/api/v1/resources/queues/{queue}",
                Access.ADMIN,
                TOPIC,
                "Delete a queue and all its messages; an absent queue is no error",
                QueueChangeRoutes::delete)
            .auditedInside("delete-queue")
            .answers(200, "it is gone", DELETED),
        Route.post(
                "/api/v1/resources/queues/{queue}/pause",
                Access.ADMIN,
                TOPIC,
                "Stop deliveries from a queue; pushes and acks continue",
                call -> pause(call, true))
            .auditedInside("pause")
            .answers(200, "it is paused", PAUSED),
        Route.post(
                "/api/v1/resources/queues/{queue}/resume",
                Access.ADMIN,
                TOPIC,
                "Resume deliveries from a queue",
                call -> pause(call, false))
            .auditedInside("resume")
            .answers(200, "it is not paused", PAUSED),
        Route.post(
                "/api/v1/resources/queues/{queue}/purge",
                Access.ADMIN,
                TOPIC,
                "Remove the messages of a queue or partition; dead letters stay",
                call -> purge(call, call.jsonOrEmpty(PURGE)))
            .auditedInside("purge")
            .bodyIfAny(PURGE)
            .answers(200, "they are gone", PURGED),
        Route.delete(
                "/api/v1/queues/{queue}/clear",
                Access.ADMIN,
                TOPIC,
                "Remove the messages of a queue or partition; another name of purge",
                call -> purge(call, call.query()))
            .auditedInside("purge")
            .query(PARTITION)
            .answers(200, "they are gone", PURGED),
        Route.post(
                "/api/v1/stats/refresh",
                Access.ADMIN,
                TOPIC,
                "Nothing: every count is always current",
                QueueChangeRoutes::refresh)
            .traffic()
            .bodyIfAny(NO_FIELDS)
            .answers(200, "always", REFRESHED));
  }

  private static Answer delete(Call call) {
    String queue = call.part("queue");
    Result<Affected> deleted = call.broker().deleteQueue(queue);
    if (!deleted.isOk() && deleted.refusal().code() != ErrorCode.NOT_FOUND) {
      throw Problem.refused(deleted.refusal());
    }
    return Answer.ok(
        DELETED, new Deleted(queue, deleted.isOk() ? deleted.orThrow().count() : null));
  }

  private static Answer pause(Call call, boolean paused) {
    String queue = call.part("queue");
    return Answer.ok(
        PAUSED, new Paused(queue, Refusals.orThrow(call.broker().pause(queue, paused)).paused()));
  }

  private static Answer purge(Call call, Values in) {
    PurgeRequest request = new PurgeRequest(call.part("queue"), in.find(PARTITION));
    return Answer.ok(
        PURGED, new Purged(request, Refusals.orThrow(call.broker().purge(request)).count()));
  }

  private static Answer refresh(Call call) {
    call.jsonOrEmpty(NO_FIELDS);
    return Answer.ok(REFRESHED, true);
  }
}
