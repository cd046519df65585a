package io.holdfast.api.dead;

import io.holdfast.api.Check;

/**
 * Dead letters to deliver again, each to its own group, at its old place, with no failures.
 *
 * @param dryRun only count
 */
public record RequeueRequest(DeadLetterFilter filter, boolean dryRun) {
  public RequeueRequest {
    Check.present("filter", filter);
  }

  public static RequeueRequest of(DeadLetterFilter filter) {
    return new RequeueRequest(filter, false);
  }
}
