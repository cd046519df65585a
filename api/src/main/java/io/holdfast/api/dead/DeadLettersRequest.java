package io.holdfast.api.dead;

import io.holdfast.api.Check;
import io.holdfast.api.Limits;
import org.jspecify.annotations.Nullable;

/**
 * Which dead letters to list, oldest death first.
 *
 * @param counted whether to tell how many match; with a filter of more than queue and group that
 *     takes a walk over all
 */
public record DeadLettersRequest(
    DeadLetterFilter filter, @Nullable String after, int limit, boolean counted) {
  public DeadLettersRequest {
    Check.present("filter", filter);
    Check.within("limit", limit, 1, Limits.PAGE_MAX);
  }

  public DeadLettersRequest(DeadLetterFilter filter, @Nullable String after, int limit) {
    this(filter, after, limit, true);
  }

  public static DeadLettersRequest of(DeadLetterFilter filter) {
    return new DeadLettersRequest(filter, null, 100);
  }

  /** The same without a count: {@link DeadLetters#total} is then -1. */
  public DeadLettersRequest uncounted() {
    return new DeadLettersRequest(filter, after, limit, false);
  }
}
