package io.holdfast.server.queen;

import io.holdfast.api.Broker;
import io.holdfast.api.DeadLetterFilter;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Message;
import io.holdfast.api.MessageDetail;
import io.holdfast.api.MessageRef;
import io.holdfast.api.RequeueRequest;
import io.holdfast.api.Result;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Delivers dead letters again, and removes them. */
public final class DeadLetterRoutes {
  private static final String TOPIC = DeadLetterListRoute.TOPIC;

  private final Broker broker;

  public DeadLetterRoutes(Broker broker) {
    this.broker = broker;
  }

  public List<Route> routes() {
    return List.of(
        Route.post(
                "/api/v1/dlq/requeue",
                Access.CONSUME,
                TOPIC,
                "Deliver dead letters of a queue again: one, some or all",
                this::requeue)
            .body(BODY)
            .answers(
                200,
                "each is back in its own group, at its old place, with no failures",
                Shape.fields(
                    Shape.required("success", Shape.FLAG, "true."),
                    Shape.required("queue", Shape.TEXT, "The queue."),
                    Shape.required("dryRun", Shape.FLAG, "Whether nothing was done."),
                    Shape.required(
                        "requeued", Shape.WHOLE, "How many; with dryRun, how many it would be."))),
        Route.post(
                "/api/v1/dlq/{id}/replay",
                Access.CONSUME,
                TOPIC,
                "Deliver a dead letter again, by the id of its message",
                this::replay)
            .bodyIfAny(GroupBody.SHAPE)
            .answers(200, "it is back at its old place, with no failures", REPLAYED),
        Route.delete(
                "/api/v1/dlq/{id}",
                Access.ADMIN,
                TOPIC,
                "Remove a dead letter, by the id of its message",
                this::remove)
            .query(DeadLetterListRoute.GROUP)
            .answers(200, "it is gone", REPLAYED),
        Route.delete(
                "/api/v1/dlq", Access.ADMIN, TOPIC, "Remove dead letters of a queue", this::clear)
            .query(
                DeadLetterListRoute.QUEUE,
                DeadLetterListRoute.GROUP,
                DeadLetterListRoute.PARTITION,
                DeadLetterListRoute.MESSAGE,
                DeadLetterListRoute.ERROR,
                DeadLetterListRoute.FROM,
                DeadLetterListRoute.TO)
            .answers(
                200,
                "they are gone",
                Shape.fields(
                    Shape.required("success", Shape.FLAG, "true."),
                    Shape.required("deleted", Shape.WHOLE, "How many."),
                    Shape.required("queue", Shape.TEXT, "The queue."),
                    Shape.required("consumerGroup", Shape.TEXT, "The group, or null for all."))));
  }

  private Answer requeue(Call call) {
    RequeueRequest request = call.json(DeadLetterRoutes::read);
    long count = Refusals.orThrow(broker.requeue(request)).count();
    return Answer.ok(
        new JsonOut()
            .beginObject()
            .put("success", true)
            .put("queue", request.filter().queue())
            .put("dryRun", request.dryRun())
            .put("requeued", count)
            .endObject());
  }

  private static RequeueRequest read(JsonIn in) {
    String queue = null;
    String group = null;
    String partition = null;
    String error = null;
    UUID id = null;
    Span span = Span.ALWAYS;
    boolean dryRun = false;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      switch (field) {
        case "queue" -> queue = in.text();
        case "consumerGroup" -> group = in.textOrNull();
        case "partition" -> partition = in.textOrNull();
        case "error" -> error = in.textOrNull();
        case "messageId" -> id = in.isNull() ? null : DeadLetterListRoute.id(field, in.text());
        case "from" -> span = span.from(in);
        case "to" -> span = span.to(in);
        case "dryRun" -> dryRun = in.flag();
        default ->
            throw in.unknown(
                "queue",
                "consumerGroup",
                "partition",
                "messageId",
                "error",
                "from",
                "to",
                "dryRun");
      }
    }
    Span whole = span.checked();
    return new RequeueRequest(
        new DeadLetterFilter(
            required(queue), group, partition, id, error, whole.fromMs(), whole.toMs()),
        dryRun);
  }

  private static String required(@Nullable String queue) {
    if (queue == null || queue.isEmpty()) {
      throw Problem.required("queue", "queue is required");
    }
    return queue;
  }

  /** A dead letter's message, and which of its dead letters are meant. */
  private record Named(Message message, DeadLetterFilter filter) {}

  private Named find(Call call, @Nullable String group) {
    UUID id = DeadLetterListRoute.idOrNull(call.part("id"));
    if (id == null) {
      throw unknown();
    }
    Result<MessageDetail> found = broker.message(MessageRef.id(id));
    if (!found.isOk() && found.refusal().code() == ErrorCode.NOT_FOUND) {
      throw unknown();
    }
    Message message = Refusals.orThrow(found).message();
    return new Named(
        message, new DeadLetterFilter(message.queue(), group, null, id, null, 0, Long.MAX_VALUE));
  }

  private static Problem unknown() {
    return Problem.notFound("there is no dead letter of that id");
  }

  private Answer replay(Call call) {
    Named named = find(call, GroupBody.of(call).group());
    return changed(
        named,
        "moved",
        Refusals.orThrow(broker.requeue(RequeueRequest.of(named.filter()))).count());
  }

  private Answer remove(Call call) {
    Named named = find(call, call.query().text(DeadLetterListRoute.GROUP));
    return changed(
        named, "deleted", Refusals.orThrow(broker.removeDeadLetters(named.filter())).count());
  }

  private static Answer changed(Named named, String result, long count) {
    if (count == 0) {
      throw unknown();
    }
    Message message = named.message();
    String name = PopRoutes.nameOf(message);
    return Answer.ok(
        new JsonOut()
            .beginObject()
            .put("success", true)
            .put("result", result)
            .put("count", count)
            .put("dlqId", message.id().toString())
            .put("messageId", message.id().toString())
            .put("transactionId", name)
            .put("originalTransactionId", name)
            .put("queue", message.queue())
            .put("partition", message.partition())
            .put("consumerGroup", named.filter().group())
            .put("dlqRowRemoved", true)
            .endObject());
  }

  private Answer clear(Call call) {
    String queue = required(call.query().text(DeadLetterListRoute.QUEUE));
    DeadLetterFilter filter = DeadLetterListRoute.filter(call.query(), queue);
    long deleted = Refusals.orThrow(broker.removeDeadLetters(filter)).count();
    return Answer.ok(
        new JsonOut()
            .beginObject()
            .put("success", true)
            .put("deleted", deleted)
            .put("queue", queue)
            .put("consumerGroup", filter.group())
            .endObject());
  }

  private static final Shape BODY =
      Shape.fields(
          Shape.required("queue", Shape.TEXT, "The queue."),
          Shape.optional("consumerGroup", Shape.TEXT, "Only those of this group."),
          Shape.optional("partition", Shape.TEXT, "Only those of this partition."),
          Shape.optional("messageId", Shape.TEXT, "Only those of this message."),
          Shape.optional("error", Shape.TEXT, "Only those whose error has this text in it."),
          Shape.optional("from", Shape.TIME, "Only those that died at or after."),
          Shape.optional("to", Shape.TIME, "Only those that died up to then, or on that day."),
          Shape.optional("dryRun", Shape.FLAG, "Only count."));

  private static final Shape REPLAYED =
      Shape.fields(
          Shape.required("success", Shape.FLAG, "true."),
          Shape.required("result", Shape.words("moved", "deleted"), "What became of it."),
          Shape.required("count", Shape.WHOLE, "For how many groups."),
          Shape.required("dlqId", Shape.TEXT, "The message's id."),
          Shape.required("messageId", Shape.TEXT, "The same."),
          Shape.required("transactionId", Shape.TEXT, "Its name, or else its id."),
          Shape.required("originalTransactionId", Shape.TEXT, "The same."),
          Shape.required("queue", Shape.TEXT, "Its queue."),
          Shape.required("partition", Shape.TEXT, "Its partition."),
          Shape.required("consumerGroup", Shape.TEXT, "The group, or null for all."),
          Shape.required("dlqRowRemoved", Shape.FLAG, "true."));
}
