package io.holdfast.api.dead;

import io.holdfast.api.Check;
import org.jspecify.annotations.Nullable;

/**
 * Which dead letters of a queue to tell the errors of, oldest death first.
 *
 * @param after where an earlier answer ended; null for the beginning
 * @param limit how many dead letters to look at
 */
public record DeadErrorsRequest(String queue, @Nullable String after, int limit) {
  /** Most dead letters that one request looks at. */
  public static final int LOOKED_MAX = 100_000;

  public DeadErrorsRequest {
    Check.name("queue", queue);
    Check.within("limit", limit, 1, LOOKED_MAX);
  }
}
