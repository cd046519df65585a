package io.holdfast.api.message;

import org.jspecify.annotations.Nullable;

/**
 * A failed delivery.
 *
 * @param number which delivery of the message to the group it was, from 1
 * @param worker who held it; null if nobody said
 * @param error what the worker said; null for an expiry or if it said nothing
 */
public record Attempt(
    int number,
    Cause cause,
    @Nullable String worker,
    long leasedMs,
    long endedMs,
    @Nullable String error) {
  /** How a delivery failed. */
  public enum Cause {
    NACKED,
    EXPIRED,
    KILLED,
    /** It waited longer than the queue's {@code maxWaitTimeSeconds}. */
    WAITED_TOO_LONG
  }
}
