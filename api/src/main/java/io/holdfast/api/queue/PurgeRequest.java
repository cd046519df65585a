package io.holdfast.api.queue;

import io.holdfast.api.Check;
import org.jspecify.annotations.Nullable;

/** Removes all messages of a queue, or with a partition of that alone; dead letters stay. */
public record PurgeRequest(String queue, @Nullable String partition) {
  public PurgeRequest {
    Check.name("queue", queue);
  }
}
