package io.holdfast.server.commits;

import io.holdfast.api.Limits;
import io.holdfast.api.message.NewMessage;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonException;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.server.leases.AckItem;
import io.holdfast.server.messages.MessageItem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One operation of a transaction, as JSON. */
sealed interface TransactionItem {
  /** Messages to push. */
  record Push(List<NewMessage> messages, boolean ignoreDuplicates) implements TransactionItem {}

  /** A message to settle. */
  record Ack(AckItem item) implements TransactionItem {}

  Field<List<NewMessage>> ITEMS =
      Field.optional(
          "items",
          Json.list(MessageItem.TYPE, Limits.BATCH_MAX),
          "The messages. A single one may stand here itself.");

  JsonType<TransactionItem> TYPE = type();

  private static JsonType<TransactionItem> type() {
    Map<String, JsonType<? extends TransactionItem>> types = new LinkedHashMap<>();
    types.put(
        "push",
        Json.object(
            TransactionItem::push,
            MessageItem.FIELDS
                .allOptional()
                .and(ITEMS, MessageItem.IGNORE_DUPLICATES)
                .after(OperationItem.typeField("push", "Push messages."))));
    types.put(
        "ack",
        Json.object(
            in -> new Ack(AckItem.read(in).checked(false)),
            AckItem.FIELDS.after(OperationItem.typeField("ack", "Settle a message."))));
    return Json.oneOf("type", types);
  }

  private static Push push(Values in) {
    List<NewMessage> items = in.find(ITEMS);
    if (items == null) {
      in.require(MessageItem.FIELDS);
      items = List.of(MessageItem.read(in));
    } else {
      for (String name : MessageItem.FIELDS.names()) {
        if (in.has(name)) {
          throw JsonException.field(name, "expected items or a message here, but got both");
        }
      }
    }
    return new Push(items, in.get(MessageItem.IGNORE_DUPLICATES));
  }
}
