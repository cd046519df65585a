package io.holdfast.server.queen;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.queue.Affected;
import io.holdfast.api.queue.PurgeRequest;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Param;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import java.util.List;

/** Pauses, resumes, empties and deletes queues. */
public final class QueueChangeRoutes {
  private static final String TOPIC = ResourceRoutes.TOPIC;
  private static final Param PARTITION = Param.text("partition", "Only this partition.");

  private final Broker broker;

  public QueueChangeRoutes(Broker broker) {
    this.broker = broker;
  }

  public List<Route> routes() {
    return List.of(
        Route.delete(
                "/api/v1/resources/queues/{queue}",
                Access.ADMIN,
                TOPIC,
                "Delete a queue and all it holds; one that is not there is no error",
                this::delete)
            .auditedInside("delete-queue")
            .answers(
                200,
                "it is gone",
                Shape.fields(
                    Shape.required("queue", Shape.QUEUE, "The queue."),
                    Shape.required("deleted", Shape.FLAG, "Whether it was deleted."),
                    Shape.required("existed", Shape.FLAG, "Whether there was one."),
                    Shape.optional("messages", Shape.WHOLE, "How many it held."),
                    Shape.optional("message", Shape.TEXT, "If there was none, that."))),
        Route.post(
                "/api/v1/resources/queues/{queue}/pause",
                Access.ADMIN,
                TOPIC,
                "Stop deliveries from a queue; pushes and acks go on",
                call -> pause(call, true))
            .auditedInside("pause")
            .answers(200, "it is paused", PAUSED),
        Route.post(
                "/api/v1/resources/queues/{queue}/resume",
                Access.ADMIN,
                TOPIC,
                "Let deliveries from a queue go on",
                call -> pause(call, false))
            .auditedInside("resume")
            .answers(200, "it is not paused", PAUSED),
        Route.post(
                "/api/v1/resources/queues/{queue}/purge",
                Access.ADMIN,
                TOPIC,
                "Remove the messages of a queue or partition; dead letters stay",
                this::purge)
            .auditedInside("purge")
            .bodyIfAny(
                Shape.fields(Shape.optional("partition", Shape.TEXT, "Only this partition.")))
            .answers(200, "they are gone", PURGED),
        Route.delete(
                "/api/v1/queues/{queue}/clear",
                Access.ADMIN,
                TOPIC,
                "Remove the messages of a queue or partition; another name of purge",
                call -> purge(new PurgeRequest(call.part("queue"), call.query().text(PARTITION))))
            .auditedInside("purge")
            .query(PARTITION)
            .answers(200, "they are gone", PURGED),
        Route.post(
                "/api/v1/stats/refresh",
                Access.ADMIN,
                TOPIC,
                "Nothing: every count is always current",
                this::refresh)
            .traffic()
            .bodyIfAny(Shape.OBJECT)
            .answers(200, "always", Shape.fields(Shape.required("success", Shape.FLAG, "true."))));
  }

  private Answer delete(Call call) {
    String queue = call.part("queue");
    Result<Affected> deleted = broker.deleteQueue(queue);
    boolean existed = deleted.isOk();
    if (!existed && deleted.refusal().code() != ErrorCode.NOT_FOUND) {
      throw Problem.refused(deleted.refusal());
    }
    JsonOut out =
        new JsonOut()
            .beginObject()
            .put("queue", queue)
            .put("deleted", existed)
            .put("existed", existed);
    if (existed) {
      out.put("messages", deleted.orThrow().count());
    } else {
      out.put("message", "Queue not found, nothing was deleted");
    }
    return Answer.ok(out.endObject());
  }

  private Answer pause(Call call, boolean paused) {
    boolean now = Refusals.orThrow(broker.pause(call.part("queue"), paused)).paused();
    return Answer.ok(
        new JsonOut()
            .beginObject()
            .put("success", true)
            .put("queue", call.part("queue"))
            .put("paused", now)
            .endObject());
  }

  private Answer purge(Call call) {
    String queue = call.part("queue");
    return purge(call.hasBody() ? call.json(in -> read(queue, in)) : new PurgeRequest(queue, null));
  }

  private static PurgeRequest read(String queue, JsonIn in) {
    String partition = null;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      if (!field.equals("partition")) {
        throw in.unknown("partition");
      }
      partition = in.textOrNull();
    }
    return new PurgeRequest(queue, partition);
  }

  private Answer purge(PurgeRequest request) {
    Affected purged = Refusals.orThrow(broker.purge(request));
    return Answer.ok(
        new JsonOut()
            .beginObject()
            .put("success", true)
            .put("queue", request.queue())
            .put("partition", request.partition())
            .put("purged", purged.count())
            .endObject());
  }

  private Answer refresh(Call call) {
    if (call.hasBody()) {
      call.json(
          in -> {
            in.beginObject();
            if (in.nextField() != null) {
              throw in.wrong("no field, because there is nothing to say here");
            }
            return true;
          });
    }
    return Answer.ok(new JsonOut().beginObject().put("success", true).endObject());
  }

  private static final Shape PAUSED =
      Shape.fields(
          Shape.required("success", Shape.FLAG, "true."),
          Shape.required("queue", Shape.QUEUE, "The queue."),
          Shape.required("paused", Shape.FLAG, "Whether it is paused now."));

  private static final Shape PURGED =
      Shape.fields(
          Shape.required("success", Shape.FLAG, "true."),
          Shape.required("queue", Shape.QUEUE, "The queue."),
          Shape.required("partition", Shape.TEXT, "The partition, or null for all."),
          Shape.required("purged", Shape.WHOLE, "How many messages were removed."));
}
