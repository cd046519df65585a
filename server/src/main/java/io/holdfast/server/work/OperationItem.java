package io.holdfast.server.work;

import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.message.MessageRef;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Shape;
import io.holdfast.server.queen.AckItem;
import io.holdfast.server.queen.MessageItem;
import io.holdfast.server.queen.PartitionIds;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a commit, as JSON has it.
 *
 * @param type as the client wrote it
 * @param ack what it settles, if it settles; null otherwise
 */
record OperationItem(String type, Operation operation, @Nullable AckItem ack) {
  private static final List<String> TYPES =
      List.of(
          "ack",
          "settle",
          "push",
          "cancel",
          "append",
          "deleteJournal",
          "putRecord",
          "deleteRecord");

  static final Shape SHAPE =
      Shape.merged(
          List.of(
              Shape.required("type", Shape.words(TYPES.toArray(String[]::new)), "What to do."),
              Shape.optional(
                  "onDuplicate",
                  Shape.words("fail", "ignore"),
                  "Of a push: what a transactionId that is there already does to the whole;"
                      + " fail."),
              Shape.optional(
                  "messageId",
                  Shape.TEXT,
                  "Of a cancel: the message's id. Or transactionId with partitionId, or with queue"
                      + " and partition.")),
          Shape.fieldsOf("Of a push: ", MessageItem.SHAPE),
          Shape.fieldsOf("Of an ack or settle: ", AckItem.SHAPE),
          JournalItems.FIELDS,
          RecordItems.FIELDS);

  /** Reads the object the reader stands on. */
  static OperationItem read(JsonIn in) {
    String type = Objects.requireNonNullElse(in.ahead("type"), "");
    String place = in.place();
    return switch (type) {
      case "ack", "settle" -> settle(type, in, place);
      case "push" -> new OperationItem("push", push(in, place), null);
      case "cancel" -> new OperationItem("cancel", cancel(in, place), null);
      case "append" -> new OperationItem("append", JournalItems.append(in, place), null);
      case "deleteJournal" ->
          new OperationItem("deleteJournal", JournalItems.delete(in, place), null);
      case "putRecord" -> new OperationItem("putRecord", RecordItems.put(in, place), null);
      case "deleteRecord" -> new OperationItem("deleteRecord", RecordItems.delete(in, place), null);
      default ->
          throw Problem.field(
              place + ".type",
              "expected one of "
                  + String.join(", ", TYPES)
                  + ", but "
                  + (type.isEmpty() ? "there is none" : "got another word"));
    };
  }

  private static OperationItem settle(String type, JsonIn in, String place) {
    AckItem item = new AckItem();
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      if (!isType(field, in) && !item.readField(field, in)) {
        throw in.unknown(withType(AckItem.FIELDS));
      }
    }
    item.check(() -> place, true);
    return new OperationItem(
        type, new Operation.SettleMessage(item.settle(() -> place, null, null)), item);
  }

  private static Operation push(JsonIn in, String place) {
    MessageItem item = MessageItem.blank();
    boolean ignore = false;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      if (field.equals("onDuplicate")) {
        ignore = MessageItem.ignoresDuplicates(in);
      } else if (!isType(field, in) && !item.readField(field, in)) {
        throw in.unknown(
            Stream.concat(Stream.of("type", "onDuplicate"), MessageItem.FIELDS.stream()).toList());
      }
    }
    return new Operation.PushMessage(item.message(() -> place), ignore);
  }

  private static Operation cancel(JsonIn in, String place) {
    String messageId = null;
    String queue = null;
    String partition = null;
    String partitionId = null;
    String transactionId = null;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      switch (field) {
        case "type" -> in.text();
        case "messageId" -> messageId = in.textOrNull();
        case "queue" -> queue = in.textOrNull();
        case "partition" -> partition = in.textOrNull();
        case "partitionId" -> partitionId = in.textOrNull();
        case "transactionId" -> transactionId = in.textOrNull();
        default ->
            throw in.unknown(
                "type", "messageId", "queue", "partition", "partitionId", "transactionId");
      }
    }
    if (messageId != null) {
      expectNone(place + ".messageId", queue, partition, partitionId, transactionId);
      return new Operation.CancelMessage(
          new MessageRef.ById(Ids.id(place + ".messageId", messageId)));
    }
    if (transactionId == null || (partitionId == null) == (queue == null)) {
      throw Problem.field(
          place + ".messageId",
          "expected it, or transactionId with partitionId or with queue, but there is neither");
    }
    return named(place, queue, partition, partitionId, transactionId);
  }

  private static Operation named(
      String place,
      @Nullable String queue,
      @Nullable String partition,
      @Nullable String partitionId,
      String transactionId) {
    try {
      return new Operation.CancelMessage(
          queue == null
              ? new MessageRef.InPartition(
                  PartitionIds.number(String.valueOf(partitionId)), transactionId)
              : MessageRef.named(queue, partition == null ? "Default" : partition, transactionId));
    } catch (InvalidArgumentException refused) {
      throw Problem.argument(place, refused);
    }
  }

  private static void expectNone(String field, @Nullable String... others) {
    for (String other : others) {
      if (other != null) {
        throw Problem.field(field, "expected it alone, but the message is named twice");
      }
    }
  }

  /** Steps over the type, which is known already. */
  static boolean isType(String field, JsonIn in) {
    if (!field.equals("type")) {
      return false;
    }
    in.text();
    return true;
  }

  private static List<String> withType(List<String> fields) {
    List<String> all = new ArrayList<>(fields);
    all.addFirst("type");
    return all;
  }
}
