package io.holdfast.api.task;

import io.holdfast.api.Check;
import io.holdfast.api.Limits;
import org.jspecify.annotations.Nullable;

/** Which tasks of a queue to list, oldest first; null for any status. */
public record TasksRequest(
    String queue, @Nullable TaskStatus status, @Nullable String after, int limit) {
  public TasksRequest {
    Check.name("queue", queue);
    Check.within("limit", limit, 1, Limits.PAGE_MAX);
  }
}
