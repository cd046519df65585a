package io.holdfast.client.tasks;

import io.holdfast.api.task.TaskStatus;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The life of a task as it is now. Times are the broker's; null for not yet.
 *
 * @param task what was published; null once the broker keeps no more than the state
 * @param receivedAt when a device was given it, the last time
 * @param startedAt when a device said Running, the last time
 * @param completedAt when it was complete, or dead
 * @param status the status of the whole: complete when all subscribers have completed it
 * @param deviceId who had it last
 * @param attempts deliveries so far, over all subscribers
 * @param error what the last failure said
 * @param subscribers the task as each of its subscribers has it
 */
public record TaskState(
    UUID id,
    String topic,
    @Nullable Task task,
    Instant publishedAt,
    @Nullable Instant receivedAt,
    @Nullable Instant startedAt,
    @Nullable Instant completedAt,
    TaskStatus status,
    @Nullable String deviceId,
    int attempts,
    @Nullable String error,
    List<Subscriber> subscribers) {
  /** The task as one subscriber has it. */
  public record Subscriber(
      String name, TaskStatus status, @Nullable String deviceId, int attempts) {}

  public TaskState {
    subscribers = List.copyOf(subscribers);
  }
}
