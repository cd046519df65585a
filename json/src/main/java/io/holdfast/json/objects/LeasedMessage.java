package io.holdfast.json.objects;

import io.holdfast.api.lease.Delivery;
import io.holdfast.api.message.Message;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;

/** A message that was leased, and for which group, as JSON. */
public record LeasedMessage(Delivery delivery, String group) {
  public static final JsonType<LeasedMessage> TYPE =
      JsonObject.of(LeasedMessage.class)
          .id("id", leased -> leased.message().id(), "The message's id.")
          .id("messageId", leased -> leased.message().id(), "The same.")
          .textOrId(
              "transactionId",
              leased -> leased.message().transactionId(),
              leased -> leased.message().id(),
              "Its name, or else its id.")
          .textOrNull(
              "traceId",
              leased -> leased.message().headers().get(MessageJson.TRACE_ID),
              "As it was pushed, or null.")
          .payload("data", LeasedMessage::message, "The payload, byte for byte.")
          .nothing("producerSub", "Always null.")
          .time("createdAt", leased -> leased.message().createdMs(), "When it was pushed.")
          .queue("queue", leased -> leased.message().queue(), "Its queue.")
          .text("partition", leased -> leased.message().partition(), "Its partition.")
          .text(
              "partitionId",
              leased -> PartitionIds.text(leased.message().position().partition()),
              "The same, as acks name it.")
          .text("leaseId", leased -> leased.delivery().leaseId(), "The lease.")
          .text("consumerGroup", LeasedMessage::group, "The group.")
          .whole("priority", leased -> leased.message().position().lane(), "Its lane.")
          .whole("seq", leased -> leased.message().position().seq(), "Its number in the partition.")
          .whole("retryCount", leased -> leased.delivery().failures(), "How often it failed.")
          .whole(
              "deliveryAttempt", leased -> leased.delivery().attempt(), "Which delivery this is.")
          .optional(
              "headers",
              Json.map(Json.TEXT),
              leased -> leased.message().headers().isEmpty() ? null : leased.message().headers(),
              "Its headers, if it has any.")
          .type();

  private Message message() {
    return delivery.message();
  }
}
