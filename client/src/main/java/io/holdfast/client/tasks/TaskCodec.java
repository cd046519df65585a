package io.holdfast.client.tasks;

import io.holdfast.api.message.Message;
import io.holdfast.api.message.NewMessage;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How a task is written as a message: its id is the transactionId, its instruction a header, its
 * priority the lane, its payload the payload.
 */
final class TaskCodec {
  /** The header that holds the instruction. */
  static final String INSTRUCTION = "instruction";

  private TaskCodec() {}

  static NewMessage message(Task task) {
    return NewMessage.to(task.topic(), task.payload())
        .lane(task.priority())
        .transactionId(task.id().toString())
        .headers(Map.of(INSTRUCTION, task.instruction()));
  }

  static Task task(Message message) {
    return new Task(
        id(message.transactionId(), message.id()),
        message.headers().getOrDefault(INSTRUCTION, ""),
        message.queue(),
        message.position().lane(),
        message.payload());
  }

  /** The id of a task; a message that was pushed without such a name goes by its own id. */
  static UUID id(@Nullable String transactionId, UUID messageId) {
    if (transactionId != null) {
      try {
        return UUID.fromString(transactionId);
      } catch (IllegalArgumentException otherName) {
        return messageId;
      }
    }
    return messageId;
  }
}
