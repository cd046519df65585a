package io.holdfast.api;

import org.jspecify.annotations.Nullable;

/** Which dead letters to list, oldest death first. */
public record DeadLettersRequest(DeadLetterFilter filter, @Nullable String after, int limit) {
  public DeadLettersRequest {
    Check.present("filter", filter);
    Check.within("limit", limit, 1, Limits.PAGE_MAX);
  }

  public static DeadLettersRequest of(DeadLetterFilter filter) {
    return new DeadLettersRequest(filter, null, 100);
  }
}
