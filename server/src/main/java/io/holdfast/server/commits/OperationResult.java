package io.holdfast.server.commits;

import io.holdfast.api.commit.Committed.Step;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.objects.PartitionIds;
import io.holdfast.server.leases.AckAnswer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What one operation of a commit did, as JSON. */
record OperationResult(int index, OperationItem item, Step step) {
  static final JsonType<OperationResult> TYPE =
      JsonObject.of(OperationResult.class)
          .whole("index", OperationResult::index, "Which operation.")
          .text("type", result -> result.item.type(), "As it was sent.")
          .includeOptional(AckAnswer.FIELDS, OperationResult::ack)
          .optional("messageId", Json.ID, of(PushedMessage::id), "Of a push: the message's id.")
          .optional(
              "partitionId",
              Json.TEXT,
              of(pushed -> PartitionIds.text(pushed.partition())),
              "Of a push: its partition.")
          .optional(
              "duplicate",
              Json.FLAG,
              of(PushedMessage::duplicate),
              "Of a push: whether it was there already.")
          .optional(
              "found",
              Json.FLAG,
              OperationResult::found,
              "Of a cancel or delete: whether it was there.")
          .optional(
              "position",
              Json.WHOLE,
              result -> result.step instanceof Step.JournalAppended done ? done.position() : null,
              "Of an append: how many events there are now.")
          .optional(
              "version",
              Json.WHOLE,
              result -> result.step instanceof Step.RecordPut done ? done.version() : null,
              "Of a putRecord: its version now.")
          .type();

  private @Nullable AckAnswer ack() {
    return item.ack() != null && step instanceof Step.MessageSettled settled
        ? new AckAnswer(index, item.ack(), settled.verdict())
        : null;
  }

  private static <V> Function<OperationResult, @Nullable V> of(Function<PushedMessage, V> part) {
    return result ->
        result.step instanceof Step.MessagePushed done ? part.apply(done.message()) : null;
  }

  private @Nullable Boolean found() {
    return switch (step) {
      case Step.MessageCancelled done -> done.found();
      case Step.JournalDeleted done -> done.found();
      case Step.RecordDeleted done -> done.found();
      default -> null;
    };
  }
}
