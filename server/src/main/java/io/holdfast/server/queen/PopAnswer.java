package io.holdfast.server.queen;

import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.PopSource;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.message.Message;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Shape;
import io.holdfast.server.http.Times;
import io.holdfast.server.verbs.Pops;
import java.util.List;

/** What a pop brought, as an answer. */
final class PopAnswer {
  private static final int MESSAGE_BYTES = 480;
  private static final int SETTLED_BYTES = 180;

  private final Pops pops;

  PopAnswer(Pops pops) {
    this.pops = pops;
  }

  /**
   * Answers a pop.
   *
   * @param settles what it settled, as it was sent; then there is always a body, with the verdicts
   */
  Answer of(PopRequest request, Popped popped, List<AckItem> settles) {
    if (popped.isEmpty() && settles.isEmpty()) {
      Answer none = Answer.nothing().header("X-Holdfast-Reason", popped.reason().name());
      return isKnown(popped.retryAtMs())
          ? none.header("X-Holdfast-Retry-At", Times.text(popped.retryAtMs()))
          : none;
    }
    JsonOut out =
        new JsonOut(
            MESSAGE_BYTES * popped.messages().size() + SETTLED_BYTES * settles.size() + 200);
    out.beginObject().put("success", true);
    writeSource(out, request, popped);
    out.put("leaseId", popped.leaseId())
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
    out.endArray();
    writeSettled(out, popped, settles);
    return pops.returning(request, popped, Answer.ok(out.endObject()));
  }

  private static boolean isKnown(long timeMs) {
    return timeMs > 0 && timeMs != Long.MAX_VALUE;
  }

  private static void writeSource(JsonOut out, PopRequest request, Popped popped) {
    boolean tagged = request.source() instanceof PopSource.Tagged;
    if (popped.isEmpty()) {
      out.put("queue", queueOf(request.source())).put("partition", "").put("partitionId", "");
      out.put("reason", popped.reason().name())
          .putTime("retryAt", isKnown(popped.retryAtMs()) ? popped.retryAtMs() : 0);
      return;
    }
    Message first = popped.messages().getFirst().message();
    out.put("queue", tagged ? "" : first.queue())
        .put("partition", first.partition())
        .put("partitionId", PartitionIds.text(first.position().partition()));
  }

  private static String queueOf(PopSource source) {
    return switch (source) {
      case PopSource.WholeQueue queue -> queue.queue();
      case PopSource.OnePartition partition -> partition.queue();
      case PopSource.Tagged tagged -> "";
    };
  }

  private static void writeSettled(JsonOut out, Popped popped, List<AckItem> settles) {
    if (settles.isEmpty()) {
      return;
    }
    out.beginArray("settled");
    for (int i = 0; i < settles.size(); i++) {
      AckAnswer.write(out, i, settles.get(i), popped.settled().get(i));
    }
    out.endArray();
  }

  private static void write(JsonOut out, Delivery delivery, String group) {
    Message message = delivery.message();
    out.beginObject()
        .put("id", message.id())
        .put("messageId", message.id())
        .put("transactionId", message.transactionId(), message.id())
        .put("traceId", message.headers().get(MessageItem.TRACE_ID))
        .putPayload("data", message.payload())
        .putNull("producerSub")
        .putTime("createdAt", message.createdMs())
        .put("queue", message.queue())
        .put("partition", message.partition())
        .put("partitionId", PartitionIds.text(message.position().partition()))
        .put("leaseId", delivery.leaseId())
        .put("consumerGroup", group)
        .put("priority", message.position().lane())
        .put("seq", message.position().seq())
        .put("retryCount", delivery.failures())
        .put("deliveryAttempt", delivery.attempt());
    MessageJson.headers(out, message).endObject();
  }

  static final Shape SHAPE =
      Shape.fields(
          Shape.required("success", Shape.FLAG, "true."),
          Shape.required("queue", Shape.QUEUE, "The queue; empty if several were asked for."),
          Shape.required("partition", Shape.TEXT, "The first message's partition."),
          Shape.required("partitionId", Shape.TEXT, "The same, as acks name it."),
          Shape.required("leaseId", Shape.TEXT, "The lease; empty with autoAck."),
          Shape.required(
              "leaseExpiresAt",
              Shape.orNull(Shape.TIME),
              "When the messages come back; null with autoAck."),
          Shape.required("consumerGroup", Shape.TEXT, "The group."),
          Shape.required("partitionsClaimed", Shape.WHOLE, "From how many partitions."),
          Shape.required(
              "messages",
              Shape.array(
                  Shape.fields(
                      Shape.required("id", Shape.TEXT, "The message's id."),
                      Shape.required("messageId", Shape.TEXT, "The same."),
                      Shape.required("transactionId", Shape.TEXT, "Its name, or else its id."),
                      Shape.required(
                          "traceId", Shape.orNull(Shape.TEXT), "As it was pushed, or null."),
                      Shape.required("data", Shape.ANY, "The payload, byte for byte."),
                      Shape.optional(
                          "dataBase64", Shape.TEXT, "The payload if it is not JSON; data is null."),
                      Shape.required("producerSub", Shape.orNull(Shape.TEXT), "Always null."),
                      Shape.required("createdAt", Shape.TIME, "When it was pushed."),
                      Shape.required("queue", Shape.QUEUE, "Its queue."),
                      Shape.required("partition", Shape.TEXT, "Its partition."),
                      Shape.required("partitionId", Shape.TEXT, "The same, as acks name it."),
                      Shape.required("leaseId", Shape.TEXT, "The lease."),
                      Shape.required("consumerGroup", Shape.TEXT, "The group."),
                      Shape.required("priority", Shape.WHOLE, "Its lane."),
                      Shape.required("seq", Shape.WHOLE, "Its number in the partition."),
                      Shape.required("retryCount", Shape.WHOLE, "How often it failed."),
                      Shape.required("deliveryAttempt", Shape.WHOLE, "Which delivery this is."),
                      Shape.optional("headers", Shape.OBJECT, "Its headers, if it has any."))),
              "The messages."),
          Shape.optional(
              "settled",
              Shape.array(AckAnswer.SHAPE),
              "What became of each of the settles that came with the pop, in their order."),
          Shape.optional(
              "reason", Shape.TEXT, "Why there are no messages, if there are settles only."),
          Shape.optional("retryAt", Shape.TIME, "When there may be some, as far as is known."));
}
