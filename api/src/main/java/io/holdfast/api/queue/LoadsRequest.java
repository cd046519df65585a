package io.holdfast.api.queue;

import io.holdfast.api.Check;
import io.holdfast.api.Limits;
import org.jspecify.annotations.Nullable;

/** Which queues' loads to list, by name. */
public record LoadsRequest(@Nullable String after, int limit) {
  public LoadsRequest {
    Check.within("limit", limit, 1, Limits.PAGE_MAX);
  }

  /** The first page. */
  public static LoadsRequest first() {
    return new LoadsRequest(null, Limits.PAGE_MAX);
  }

  /** The page behind another: {@code next} is what that one said. */
  public LoadsRequest after(String next) {
    return new LoadsRequest(next, limit);
  }
}
