package io.holdfast.server.queen;

import io.holdfast.api.Broker;
import io.holdfast.api.Delivery;
import io.holdfast.api.Limits;
import io.holdfast.api.Message;
import io.holdfast.api.PopRequest;
import io.holdfast.api.PopSource;
import io.holdfast.api.Popped;
import io.holdfast.api.Result;
import io.holdfast.api.Settle;
import io.holdfast.api.SettleRequest;
import io.holdfast.api.StartFrom;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Param;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Query;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import io.holdfast.server.http.Times;
import java.util.List;
import java.util.stream.Stream;

/** Leases messages, from a queue, a partition, or all queues of a namespace or task. */
public final class PopRoutes {
  private static final String TOPIC = "Messages";
  private static final int MESSAGE_BYTES = 480;

  private static final Param GROUP =
      Param.text(
          "consumerGroup", PopRequest.QUEUE_MODE, "Each group gets every message, once per group.");
  private static final Param BATCH =
      Param.number("batch", 1, 1, Limits.BATCH_MAX, "Most messages of the answer.");
  private static final Param PARTITIONS =
      Param.number("partitions", 1, 1, Limits.POP_PARTITIONS_MAX, "Most partitions to take from.");
  private static final Param WAIT = Param.flag("wait", "Wait for messages if there are none.");
  private static final Param TIMEOUT =
      Param.number("timeout", 30_000, 0, Limits.WAIT_MS_MAX, "Milliseconds to wait.");
  private static final Param AUTO_ACK =
      Param.flag("autoAck", "Settle at delivery: at most once, no lease.");
  private static final Param COMMIT_ON_DELIVERY =
      Param.flag("commitOnDelivery", "Another name of autoAck.");
  private static final Param MODE =
      Param.word(
          "subscriptionMode",
          null,
          "Where a group that is new begins: all that is stored, or only what comes.",
          "all",
          "new",
          "new-only");
  private static final Param FROM =
      Param.text("subscriptionFrom", "Where a group that is new begins: now, or a time.");
  private static final Param LEASE_SECONDS =
      Param.number(
          "leaseSeconds",
          0,
          0,
          Limits.LEASE_MS_MAX / 1000,
          "How long the lease lasts; 0 = as the queue says.");
  private static final Param WORKER = Param.text("worker", "Who asks; shown with leases.");
  private static final Param NAMESPACE = Param.text("namespace", "The namespace of the queues.");
  private static final Param TASK = Param.text("task", "The task of the queues.");

  private final Broker broker;

  public PopRoutes(Broker broker) {
    this.broker = broker;
  }

  public List<Route> routes() {
    Param[] params = {
      GROUP,
      BATCH,
      PARTITIONS,
      WAIT,
      TIMEOUT,
      AUTO_ACK,
      COMMIT_ON_DELIVERY,
      MODE,
      FROM,
      LEASE_SECONDS,
      WORKER
    };
    Param[] tagged =
        Stream.concat(Stream.of(params), Stream.of(NAMESPACE, TASK)).toArray(Param[]::new);
    return List.of(
        route("/api/v1/pop/queue/{queue}", "Lease messages of a queue", this::queue).query(params),
        route(
                "/api/v1/pop/queue/{queue}/partition/{partition}",
                "Lease messages of one partition",
                this::partition)
            .query(params),
        route("/api/v1/pop", "Lease messages of all queues of a namespace or task", this::tagged)
            .query(tagged));
  }

  private static Route route(String path, String summary, Route.Action action) {
    return Route.get(path, Access.CONSUME, TOPIC, summary, action)
        .answers(200, "there are messages", SHAPE)
        .answers(
            204, "there are none; X-Holdfast-Reason says why, and X-Holdfast-Retry-At until when");
  }

  private Answer queue(Call call) {
    return pop(call, new PopSource.WholeQueue(call.part("queue")));
  }

  private Answer partition(Call call) {
    return pop(call, new PopSource.OnePartition(call.part("queue"), call.part("partition")));
  }

  private Answer tagged(Call call) {
    return pop(call, new PopSource.Tagged(call.query().text(NAMESPACE), call.query().text(TASK)));
  }

  private Answer pop(Call call, PopSource source) {
    Query query = call.query();
    PopRequest request =
        new PopRequest(
            source,
            query.textOrDefault(GROUP),
            (int) query.number(BATCH),
            (int) query.number(PARTITIONS),
            query.flag(WAIT) ? query.number(TIMEOUT) : 0,
            query.number(LEASE_SECONDS) * 1000,
            query.flag(AUTO_ACK) || query.flag(COMMIT_ON_DELIVERY),
            start(query),
            query.text(WORKER),
            List.of(),
            null);
    return answer(request, Refusals.orThrow(pop(call, request)));
  }

  /** Watches the client only if there is nothing for it at once. */
  private Result<Popped> pop(Call call, PopRequest request) {
    if (request.waitMs() == 0) {
      return broker.pop(request);
    }
    Result<Popped> atOnce = broker.pop(request.waitMs(0));
    return atOnce.isOk() && atOnce.orThrow().isEmpty()
        ? call.whileConnected(() -> broker.pop(request))
        : atOnce;
  }

  private static StartFrom start(Query query) {
    String from = query.text(FROM);
    if (from != null && !from.equals("now")) {
      Long time = Times.parse(from.replace(' ', '+'));
      if (time == null || time < 0) {
        throw Problem.field(
            FROM.name(), "expected now or a time such as 2026-11-15T18:26:18Z, but got neither");
      }
      return new StartFrom.Time(time);
    }
    String mode = query.word(MODE);
    return from != null || (mode != null && mode.startsWith("new")) ? StartFrom.NEW : StartFrom.ALL;
  }

  private Answer answer(PopRequest request, Popped popped) {
    if (popped.isEmpty()) {
      Answer none = Answer.nothing().header("X-Holdfast-Reason", popped.reason().name());
      return popped.retryAtMs() <= 0 || popped.retryAtMs() == Long.MAX_VALUE
          ? none
          : none.header("X-Holdfast-Retry-At", Times.text(popped.retryAtMs()));
    }
    Message first = popped.messages().getFirst().message();
    boolean tagged = request.source() instanceof PopSource.Tagged;
    JsonOut out = new JsonOut(MESSAGE_BYTES * popped.messages().size());
    out.beginObject()
        .put("success", true)
        .put("queue", tagged ? "" : first.queue())
        .put("partition", first.partition())
        .put("partitionId", Long.toString(first.position().partition()))
        .put("leaseId", popped.leaseId())
        .putTime("leaseExpiresAt", popped.leaseId().isEmpty() ? 0 : popped.leaseUntilMs())
        .put("consumerGroup", request.group())
        .put(
            "partitionsClaimed",
            popped.messages().stream()
                .map(delivery -> delivery.message().position().partition())
                .distinct()
                .count())
        .beginArray("messages");
    for (Delivery delivery : popped.messages()) {
      write(out, delivery, request.group());
    }
    Answer answer = Answer.ok(out.endArray().endObject());
    return popped.leaseId().isEmpty() ? answer : answer.ifUnsent(() -> giveBack(popped.leaseId()));
  }

  /** A client that is gone must not keep the others waiting until the lease expires. */
  private void giveBack(String leaseId) {
    broker.settle(SettleRequest.of(Settle.releaseAll(leaseId)));
  }

  private static void write(JsonOut out, Delivery delivery, String group) {
    Message message = delivery.message();
    String id = message.id().toString();
    out.beginObject()
        .put("id", id)
        .put("messageId", id)
        .put("transactionId", nameOf(message))
        .put("traceId", message.headers().get(MessageItem.TRACE_ID))
        .putPayload("data", message.payload())
        .putNull("producerSub")
        .putTime("createdAt", message.createdMs())
        .put("queue", message.queue())
        .put("partition", message.partition())
        .put("partitionId", Long.toString(message.position().partition()))
        .put("leaseId", delivery.leaseId())
        .put("consumerGroup", group)
        .put("priority", message.position().lane())
        .put("seq", message.position().seq())
        .put("retryCount", delivery.failures())
        .put("deliveryAttempt", delivery.attempt());
    if (!message.headers().isEmpty()) {
      out.beginObject("headers");
      message.headers().forEach(out::put);
      out.endObject();
    }
    out.endObject();
  }

  /** A message that its producer gave no name goes by its id. */
  static String nameOf(Message message) {
    String name = message.transactionId();
    return name == null ? message.id().toString() : name;
  }

  private static final Shape SHAPE =
      Shape.fields(
          Shape.required("success", Shape.FLAG, "true."),
          Shape.required("queue", Shape.TEXT, "The queue; empty if several were asked for."),
          Shape.required("partition", Shape.TEXT, "The first message's partition."),
          Shape.required("partitionId", Shape.TEXT, "The same, as acks name it."),
          Shape.required("leaseId", Shape.TEXT, "The lease; empty with autoAck."),
          Shape.required("leaseExpiresAt", Shape.TIME, "When the messages come back."),
          Shape.required("consumerGroup", Shape.TEXT, "The group."),
          Shape.required("partitionsClaimed", Shape.WHOLE, "From how many partitions."),
          Shape.required(
              "messages",
              Shape.array(
                  Shape.fields(
                      Shape.required("id", Shape.TEXT, "The message's id."),
                      Shape.required("messageId", Shape.TEXT, "The same."),
                      Shape.required("transactionId", Shape.TEXT, "Its name, or else its id."),
                      Shape.required("traceId", Shape.TEXT, "As it was pushed, or null."),
                      Shape.required("data", Shape.ANY, "The payload, byte for byte."),
                      Shape.optional(
                          "dataBase64", Shape.TEXT, "The payload if it is not JSON; data is null."),
                      Shape.required("createdAt", Shape.TIME, "When it was pushed."),
                      Shape.required("queue", Shape.TEXT, "Its queue."),
                      Shape.required("partition", Shape.TEXT, "Its partition."),
                      Shape.required("partitionId", Shape.TEXT, "The same, as acks name it."),
                      Shape.required("leaseId", Shape.TEXT, "The lease."),
                      Shape.required("consumerGroup", Shape.TEXT, "The group."),
                      Shape.required("priority", Shape.WHOLE, "Its lane."),
                      Shape.required("seq", Shape.WHOLE, "Its number in the partition."),
                      Shape.required("retryCount", Shape.WHOLE, "How often it failed."),
                      Shape.required("deliveryAttempt", Shape.WHOLE, "Which delivery this is."),
                      Shape.optional("headers", Shape.OBJECT, "Its headers, if it has any."))),
              "The messages."));
}
