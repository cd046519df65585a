package io.holdfast.server.messages;

import io.holdfast.api.Broker;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.PopSource;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.message.Message;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonOut;
import io.holdfast.json.JsonType;
import io.holdfast.json.Times;
import io.holdfast.json.objects.LeasedMessage;
import io.holdfast.json.objects.PartitionIds;
import io.holdfast.server.http.Answer;
import io.holdfast.server.leases.AckAnswer;
import io.holdfast.server.leases.AckItem;
import java.util.List;
import java.util.function.Function;

/** The answer to a pop. */
public final class PopAnswer {
  private static final int MESSAGE_BYTES = 480;
  private static final int SETTLED_BYTES = 180;

  /**
   * What a pop brought.
   *
   * @param settles what it settled, as it was sent
   */
  record LeasedBatch(PopRequest request, Popped popped, List<AckItem> settles) {
    List<LeasedMessage> leased() {
      return popped.messages().stream()
          .map(delivery -> new LeasedMessage(delivery, request.group()))
          .toList();
    }

    /** A part of the first message; empty if there are only settles. */
    String ofFirst(Function<Message, String> part) {
      return popped.isEmpty() ? "" : part.apply(popped.messages().getFirst().message());
    }

    String queue() {
      return switch (request.source()) {
        case PopSource.WholeQueue queue -> queue.queue();
        case PopSource.OnePartition partition -> partition.queue();
        case PopSource.Tagged tagged -> "";
      };
    }

    long partitions() {
      return popped.messages().stream()
          .map(delivery -> delivery.message().position().partition())
          .distinct()
          .count();
    }

    long retryAtMs() {
      return isKnown(popped.retryAtMs()) ? popped.retryAtMs() : 0;
    }
  }

  static final JsonType<LeasedBatch> TYPE =
      JsonObject.of(LeasedBatch.class)
          .flag("success", result -> true, "true.")
          .queue("queue", LeasedBatch::queue, "The queue; empty if several were asked for.")
          .text(
              "partition",
              result -> result.ofFirst(Message::partition),
              "The first message's partition.")
          .text(
              "partitionId",
              result -> result.ofFirst(first -> PartitionIds.text(first.position().partition())),
              "The same, as acks name it.")
          .optional(
              "reason",
              Json.TEXT,
              result -> result.popped().isEmpty() ? result.popped().reason().name() : null,
              "Why there are no messages, if there are settles only.")
          .optional(
              "retryAt",
              Json.TIME,
              result ->
                  result.popped().isEmpty() && result.retryAtMs() > 0 ? result.retryAtMs() : null,
              "When there may be some, as far as is known.")
          .text("leaseId", result -> result.popped().leaseId(), "The lease; empty with autoAck.")
          .timeOrNull(
              "leaseExpiresAt",
              result -> result.popped().leaseId().isEmpty() ? 0 : result.popped().leaseUntilMs(),
              "When the messages come back; null with autoAck.")
          .text("consumerGroup", result -> result.request().group(), "The group.")
          .whole("partitionsClaimed", LeasedBatch::partitions, "From how many partitions.")
          .list("messages", LeasedMessage.TYPE, LeasedBatch::leased, "The messages.")
          .optional(
              "settled",
              Json.list(AckAnswer.TYPE),
              result ->
                  result.settles().isEmpty()
                      ? null
                      : AckAnswer.of(result.settles(), result.popped().settled()),
              "What became of each of the settles that came with the pop, in their order.")
          .type();

  private PopAnswer() {}

  /**
   * Answers a pop.
   *
   * @param settles what it settled, as it was sent; then there is always a body, with the verdicts
   */
  public static Answer of(Broker broker, PopRequest request, Popped popped, List<AckItem> settles) {
    if (popped.isEmpty() && settles.isEmpty()) {
      Answer none = Answer.nothing().header("X-Holdfast-Reason", popped.reason().name());
      return isKnown(popped.retryAtMs())
          ? none.header("X-Holdfast-Retry-At", Times.text(popped.retryAtMs()))
          : none;
    }
    JsonOut out =
        new JsonOut(
            MESSAGE_BYTES * popped.messages().size() + SETTLED_BYTES * settles.size() + 200);
    TYPE.write(out, new LeasedBatch(request, popped, settles));
    return Pops.returning(broker, request, popped, Answer.ok(out));
  }

  private static boolean isKnown(long timeMs) {
    return timeMs > 0 && timeMs != Long.MAX_VALUE;
  }
}
