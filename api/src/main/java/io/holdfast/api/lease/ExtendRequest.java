package io.holdfast.api.lease;

import io.holdfast.api.Check;
import io.holdfast.api.Limits;

/**
 * A wish for more time.
 *
 * @param leaseMs the lease then lasts at least this long from now; it is never shortened
 * @param waitMs how long to wait, once extended, for news of the lease: it answers at once when a
 *     message of it is cancelled or the lease ends
 */
public record ExtendRequest(String leaseId, long leaseMs, long waitMs) {
  public ExtendRequest {
    Check.name("leaseId", leaseId);
    Check.within("leaseMs", leaseMs, 1, Limits.LEASE_MS_MAX);
    Check.within("waitMs", waitMs, 0, Limits.WAIT_MS_MAX);
  }

  public static ExtendRequest of(String leaseId, long leaseMs) {
    return new ExtendRequest(leaseId, leaseMs, 0);
  }
}
