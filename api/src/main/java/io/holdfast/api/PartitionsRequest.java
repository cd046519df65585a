package io.holdfast.api;

import org.jspecify.annotations.Nullable;

/** Which partitions of a queue to list, by name. */
public record PartitionsRequest(String queue, @Nullable String after, int limit) {
  public PartitionsRequest {
    Check.name("queue", queue);
    Check.within("limit", limit, 1, Limits.PAGE_MAX);
  }
}
