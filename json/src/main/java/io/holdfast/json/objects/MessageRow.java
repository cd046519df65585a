package io.holdfast.json.objects;

import io.holdfast.api.message.BrowsedMessage;
import io.holdfast.api.message.Message;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;

/** A message of a list, and the queue it is in, as JSON. */
public record MessageRow(BrowsedMessage found, QueueInfo queue) {
  public static final JsonType<MessageRow> TYPE =
      JsonObject.of(MessageRow.class)
          .include(MessageJson.IDENTITY, MessageRow::message)
          .text("namespace", row -> row.text(QueueOption.NAMESPACE), "Its queue's namespace.")
          .text("task", row -> row.text(QueueOption.TASK), "Its queue's task.")
          .whole(
              "queuePriority",
              row -> row.queue().options().number(QueueOption.PRIORITY),
              "Its queue's priority.")
          .field(
              "status",
              MessageJson.STATUS,
              row -> row.found().state(),
              "Where it is, as the group sees it.")
          .field("state", MessageJson.STATE, row -> row.found().state(), "The same in finer words.")
          .whole("retryCount", row -> row.found().failures(), "How often it failed.")
          .timeOrNull("visibleAt", row -> row.found().visibleAtMs(), "When it is due, or null.")
          .payload("data", MessageRow::message, "The payload, byte for byte.")
          .include(MessageJson.HEADERS, MessageRow::message)
          .type();

  public Message message() {
    return found.message();
  }

  private String text(QueueOption option) {
    return queue.options().text(option);
  }
}
