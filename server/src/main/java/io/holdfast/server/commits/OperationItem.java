package io.holdfast.server.commits;

import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.NewMessage;
import io.holdfast.json.Field;
import io.holdfast.json.Fields;
import io.holdfast.json.Json;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.json.objects.PartitionIds;
import io.holdfast.server.leases.AckItem;
import io.holdfast.server.messages.MessageItem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a commit, as JSON.
 *
 * @param type as the client wrote it
 * @param ack what it settles, if it settles; null otherwise
 */
record OperationItem(String type, Operation operation, @Nullable AckItem ack) {
  private static final Field<UUID> MESSAGE_ID =
      Field.optional(
          "messageId",
          Json.ID,
          "The message's id. Or transactionId with partitionId, or with queue and partition.");
  private static final Field<String> TRANSACTION_ID =
      Field.text("transactionId", "Instead of messageId: the message's name.");
  private static final Field<String> PARTITION_ID =
      Field.text("partitionId", "With transactionId: its partition, as the pop told it.");
  private static final Field<String> QUEUE =
      Field.optional("queue", Json.QUEUE, "With transactionId, instead of partitionId: its queue.");
  private static final Field<String> PARTITION =
      Field.text("partition", "With queue: its partition; Default if none is named.");

  private static final Field<String> JOURNAL =
      Field.required("journal", Json.JOURNAL, "Which journal.");
  private static final Field<Long> EXPECTED_POSITION =
      Field.required(
          "expectedPosition",
          Json.whole(0, Long.MAX_VALUE),
          "How many events the journal must hold before.");
  private static final Field<List<byte[]>> EVENTS_BASE64 =
      Field.optional(
          "eventsBase64",
          Json.list(Json.BASE64, Integer.MAX_VALUE),
          "Instead of events: bytes that are not JSON.");
  private static final Field<List<byte[]>> EVENTS =
      Field.required("events", Json.list(Json.ANY, Integer.MAX_VALUE), "Any JSON, kept as it is.")
          .or(EVENTS_BASE64);

  private static final Field<String> KEY = Field.required("key", Json.RECORD, "Which record.");
  private static final Field<byte[]> VALUE_BASE64 =
      Field.optional("valueBase64", Json.BASE64, "Instead of value: bytes that are not JSON.");
  private static final Field<byte[]> VALUE =
      Field.required("value", Json.ANY, "Any JSON, kept as it is.").or(VALUE_BASE64);
  private static final Field<Long> EXPECTED_VERSION =
      Field.optional(
          "expectedVersion",
          Json.whole(Operation.ANY_VERSION, Long.MAX_VALUE),
          Operation.ANY_VERSION,
          "The version it must have; 0 = it must not exist, -1 (default) = whatever it is.");

  static final JsonType<OperationItem> TYPE = anyOfThem();

  private static JsonType<OperationItem> anyOfThem() {
    Map<String, JsonType<? extends OperationItem>> types = new LinkedHashMap<>();
    types.put("ack", settle("ack"));
    types.put("settle", settle("settle"));
    put(
        types,
        "push",
        "Push a message.",
        MessageItem.FIELDS.and(MessageItem.IGNORE_DUPLICATES),
        in -> push(MessageItem.read(in), in));
    put(
        types,
        "cancel",
        "Cancel a message.",
        Fields.of(MESSAGE_ID, TRANSACTION_ID, PARTITION_ID, QUEUE, PARTITION),
        OperationItem::cancel);
    put(
        types,
        "append",
        "Append to a journal.",
        Fields.of(JOURNAL, EXPECTED_POSITION, EVENTS, EVENTS_BASE64),
        in ->
            new Operation.AppendJournal(
                in.get(JOURNAL), in.get(EXPECTED_POSITION), either(in, EVENTS, EVENTS_BASE64)));
    put(
        types,
        "deleteJournal",
        "Delete a journal.",
        Fields.of(JOURNAL),
        in -> new Operation.DeleteJournal(in.get(JOURNAL)));
    put(
        types,
        "putRecord",
        "Write a record.",
        Fields.of(KEY, EXPECTED_VERSION, VALUE, VALUE_BASE64),
        in ->
            new Operation.PutRecord(
                in.get(KEY), in.get(EXPECTED_VERSION), either(in, VALUE, VALUE_BASE64)));
    put(
        types,
        "deleteRecord",
        "Delete a record.",
        Fields.of(KEY, EXPECTED_VERSION),
        in -> new Operation.DeleteRecord(in.get(KEY), in.get(EXPECTED_VERSION)));
    return Json.oneOf("type", types);
  }

  private static void put(
      Map<String, JsonType<? extends OperationItem>> types,
      String word,
      String explanation,
      Fields fields,
      Function<Values, Operation> read) {
    types.put(
        word,
        Json.object(
            in -> new OperationItem(word, read.apply(in), null),
            fields.after(typeField(word, explanation))));
  }

  /** The field that decides which operation it is. */
  static Field<String> typeField(String word, String explanation) {
    return Field.required("type", Json.word(word), explanation);
  }

  private static JsonType<OperationItem> settle(String word) {
    return Json.object(
        in -> {
          AckItem item = AckItem.read(in).checked(true);
          return new OperationItem(
              word, new Operation.SettleMessage(item.settle(null, null)), item);
        },
        AckItem.FIELDS.after(typeField(word, "Settle a message, or all that a lease holds.")));
  }

  static Operation push(NewMessage message, Values in) {
    return new Operation.PushMessage(message, in.get(MessageItem.IGNORE_DUPLICATES));
  }

  private static <T> T either(Values in, Field<T> one, Field<T> other) {
    T value = in.find(one);
    return value == null ? in.get(other) : value;
  }

  private static Operation cancel(Values in) {
    UUID messageId = in.find(MESSAGE_ID);
    String transactionId = in.find(TRANSACTION_ID);
    String partitionId = in.find(PARTITION_ID);
    String queue = in.find(QUEUE);
    String partition = in.find(PARTITION);
    if (messageId != null) {
      if (transactionId != null || partitionId != null || queue != null || partition != null) {
        throw new InvalidArgumentException(
            "messageId: expected it alone, but the message is named twice");
      }
      return new Operation.CancelMessage(new MessageRef.ById(messageId));
    }
    if (transactionId == null || (partitionId == null) == (queue == null)) {
      throw new InvalidArgumentException(
          "messageId: expected it, or transactionId with partitionId or with queue, but there is"
              + " neither");
    }
    return new Operation.CancelMessage(
        queue == null
            ? new MessageRef.InPartition(
                PartitionIds.number(String.valueOf(partitionId)), transactionId)
            : MessageRef.named(
                queue,
                partition == null ? NewMessage.DEFAULT_PARTITION : partition,
                transactionId));
  }
}
