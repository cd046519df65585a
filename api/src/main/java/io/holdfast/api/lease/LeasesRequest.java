package io.holdfast.api.lease;

import io.holdfast.api.Check;
import io.holdfast.api.Limits;
import org.jspecify.annotations.Nullable;

/** Which live leases of a queue to list, those that end first in front. */
public record LeasesRequest(
    String queue, @Nullable String group, @Nullable String after, int limit) {
  public LeasesRequest {
    Check.name("queue", queue);
    Check.within("limit", limit, 1, Limits.PAGE_MAX);
  }

  public static LeasesRequest ofQueue(String queue) {
    return new LeasesRequest(queue, null, null, Limits.PAGE_MAX);
  }
}
