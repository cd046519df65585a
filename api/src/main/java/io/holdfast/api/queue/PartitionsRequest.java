package io.holdfast.api.queue;

import io.holdfast.api.Check;
import io.holdfast.api.Limits;
import org.jspecify.annotations.Nullable;

/**
 * Which partitions of a queue to list, by name.
 *
 * @param group whose counts; null for those by the slowest group and summed over groups
 */
public record PartitionsRequest(
    String queue, @Nullable String group, @Nullable String after, int limit) {
  public PartitionsRequest {
    Check.name("queue", queue);
    Check.within("limit", limit, 1, Limits.PAGE_MAX);
  }

  public PartitionsRequest(String queue, @Nullable String after, int limit) {
    this(queue, null, after, limit);
  }

  /** The counts as one group sees them. */
  public PartitionsRequest asSeenBy(String name) {
    return new PartitionsRequest(queue, name, after, limit);
  }
}
