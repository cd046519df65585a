package io.holdfast.server.commits;

import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.Committed.Step;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.objects.PartitionIds;
import io.holdfast.json.objects.PushResult;
import io.holdfast.server.http.Problem;
import io.holdfast.server.leases.AckAnswer;
import java.util.ArrayList;
import java.util.List;
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

  /**
   * The results of operations, in their order.
   *
   * @throws Problem if the request id was used before, for other operations
   */
  static List<OperationResult> of(List<OperationItem> items, Committed committed) {
    List<OperationResult> results = new ArrayList<>(items.size());
    for (int i = 0; i < items.size(); i++) {
      OperationItem item = items.get(i);
      Step step = i < committed.steps().size() ? committed.steps().get(i) : null;
      if (step == null || !matches(item.operation(), step)) {
        throw Problem.requestIdUsed();
      }
      results.add(new OperationResult(i, item, step));
    }
    return results;
  }

  private static boolean matches(Operation operation, Step step) {
    return switch (operation) {
      case Operation.SettleMessage settle -> step instanceof Step.MessageSettled;
      case Operation.PushMessage push -> step instanceof Step.MessagePushed;
      case Operation.CancelMessage cancel -> step instanceof Step.MessageCancelled;
      case Operation.AppendJournal append -> step instanceof Step.JournalAppended;
      case Operation.DeleteJournal delete -> step instanceof Step.JournalDeleted;
      case Operation.PutRecord put -> step instanceof Step.RecordPut;
      case Operation.DeleteRecord delete -> step instanceof Step.RecordDeleted;
      case Operation.RemoveDead remove -> step instanceof Step.DeadRemoved;
    };
  }

  /** What became of a settle; null of another operation. */
  @Nullable AckAnswer ack() {
    return item.ack() != null && step instanceof Step.MessageSettled settled
        ? new AckAnswer(index, item.ack(), settled.verdict())
        : null;
  }

  /** What became of a push; null of another operation. */
  @Nullable PushResult push() {
    return item.operation() instanceof Operation.PushMessage push
            && step instanceof Step.MessagePushed done
        ? new PushResult(index, push.message(), done.message())
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
