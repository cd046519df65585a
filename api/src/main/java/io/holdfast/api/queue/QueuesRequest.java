package io.holdfast.api.queue;

import io.holdfast.api.Check;
import io.holdfast.api.Limits;
import org.jspecify.annotations.Nullable;

/** Which queues to list, by name. */
public record QueuesRequest(
    String prefix,
    @Nullable String namespace,
    @Nullable String task,
    @Nullable String after,
    int limit) {
  public QueuesRequest {
    Check.present("prefix", prefix);
    Check.within("limit", limit, 1, Limits.PAGE_MAX);
  }

  public static QueuesRequest all() {
    return new QueuesRequest("", null, null, null, Limits.PAGE_MAX);
  }
}
