package io.holdfast.api;

/**
 * Dead letters to deliver again, each to its own group, at its old place, with no failures.
 *
 * @param dryRun only count
 * @param limit most dead letters to deliver again, the oldest deaths first; 0 for all
 */
public record RequeueRequest(DeadLetterFilter filter, boolean dryRun, long limit) {
  public RequeueRequest {
    Check.present("filter", filter);
    Check.notNegative("limit", limit);
  }

  public RequeueRequest(DeadLetterFilter filter, boolean dryRun) {
    this(filter, dryRun, 0);
  }

  public static RequeueRequest of(DeadLetterFilter filter) {
    return new RequeueRequest(filter, false);
  }

  /** At most so many. */
  public RequeueRequest limit(long most) {
    return new RequeueRequest(filter, dryRun, most);
  }
}
