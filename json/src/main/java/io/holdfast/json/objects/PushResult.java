package io.holdfast.json.objects;

import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;

/**
 * A message that was pushed, with what became of it, as JSON.
 *
 * @param index which of the request
 */
public record PushResult(int index, NewMessage message, PushedMessage pushed) {
  public static final JsonType<PushResult> TYPE =
      JsonObject.of(PushResult.class)
          .whole("index", PushResult::index, "Which item.")
          .field(
              "status",
              Json.word("queued", "duplicate"),
              item -> item.pushed().duplicate() ? "duplicate" : "queued",
              "duplicate: a message of that transactionId was there already.")
          .id("message_id", item -> item.pushed().id(), "Its id; of a duplicate, the first one's.")
          .textOrId(
              "transaction_id",
              item -> item.message().transactionId(),
              item -> item.pushed().id(),
              "Its name; the id if it has none.")
          .queue("queueName", item -> item.message().queue(), "Its queue.")
          .text(
              "partition_id",
              item -> PartitionIds.text(item.pushed().partition()),
              "Its partition.")
          .textOrNull(
              "trace_id",
              item -> item.message().headers().get(MessageJson.TRACE_ID),
              "As it was given, or null.")
          .type();
}
