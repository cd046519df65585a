package io.holdfast.api.lease;

import io.holdfast.api.ErrorCode;

/**
 * What a settle did.
 *
 * @param count how many messages it settled; more than one for a whole lease or with {@code rest}
 * @param failures how often the message has failed so far
 * @param visibleAtMs when a message that came back may be delivered again; 0 if it did not
 * @param leaseOver whether the lease that held it has nothing left, and is over
 */
public record SettleVerdict(
    Status status, int count, int failures, long visibleAtMs, boolean leaseOver) {
  /** The possible verdicts: what happened, or why nothing did. */
  public enum Status {
    ACKED,
    /** Nacked, and will be retried. */
    RETRYING,
    RELEASED,
    /** Dead-lettered. */
    DEAD,
    /** Out of attempts, and the queue keeps no dead letters. */
    DROPPED,
    ALREADY_SETTLED,
    STALE_LEASE,
    NOT_FOUND,
    CANCELLED,
    LEASE_REQUIRED,
    /** Not looked at or undone, because another settle of the atomic request was refused. */
    NOT_APPLIED
  }

  public SettleVerdict(Status status, int count, int failures, long visibleAtMs) {
    this(status, count, failures, visibleAtMs, false);
  }

  public SettleVerdict leaseOver(boolean over) {
    return new SettleVerdict(status, count, failures, visibleAtMs, over);
  }

  public static SettleVerdict refused(Status status) {
    return new SettleVerdict(status, 0, 0, 0);
  }

  /** Whether the settle changed something. */
  public boolean applied() {
    return switch (status) {
      case ACKED, RETRYING, RELEASED, DEAD, DROPPED -> true;
      case ALREADY_SETTLED, STALE_LEASE, NOT_FOUND, CANCELLED, LEASE_REQUIRED, NOT_APPLIED -> false;
    };
  }

  /**
   * The error code of a verdict that refused.
   *
   * @throws IllegalStateException if it applied
   */
  public ErrorCode code() {
    if (applied()) {
      throw new IllegalStateException("expected a refused settle, but it applied: " + this);
    }
    return ErrorCode.valueOf(status.name());
  }
}
