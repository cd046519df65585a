package io.holdfast.api.task;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The life of a tracked message. Times are epoch milliseconds, 0 for not yet.
 *
 * @param attempts deliveries so far, over all groups
 * @param groups one entry for each group the task is for
 */
public record TaskInfo(
    UUID id,
    String queue,
    String partition,
    @Nullable String transactionId,
    TaskStatus status,
    long publishedMs,
    long receivedMs,
    long startedMs,
    long endedMs,
    @Nullable String worker,
    int attempts,
    @Nullable String error,
    List<TaskGroup> groups) {
  /** The task as one group has it. */
  public record TaskGroup(String group, TaskStatus status, @Nullable String worker, int attempts) {}

  public TaskInfo {
    groups = List.copyOf(groups);
  }
}
