package io.holdfast.api.lease;

import java.util.List;

/**
 * What a pop brought.
 *
 * @param leaseId the lease that holds the messages; empty if there are none or all were settled at
 *     delivery
 * @param leaseUntilMs when that lease expires; 0 without one
 * @param reason why there are no messages; {@link Reason#NONE} if there are some
 * @param retryAtMs when there may be some, as far as is known; 0 if only an event can tell
 * @param settled the verdicts of the settles that the pop carried, in their order
 */
public record Popped(
    List<Delivery> messages,
    String leaseId,
    long leaseUntilMs,
    Reason reason,
    long retryAtMs,
    List<SettleVerdict> settled) {
  /** Why a pop came back with nothing. */
  public enum Reason {
    /** There are messages. */
    NONE,
    /** Nothing is waiting. */
    EMPTY,
    /** An ordered partition is leased to somebody else until a time. */
    LOCKED,
    /** A message that came back waits for its retry. */
    BACKOFF,
    /** Messages wait for their queue's {@code delayedProcessing}. */
    DELAYED,
    /** The partition is withheld until it was quiet for its {@code windowBuffer}. */
    WINDOW,
    /** So much is in flight that the subscription takes nothing new: {@code maxInFlight}. */
    IN_FLIGHT_LIMIT,
    /** The queue is paused. */
    PAUSED,
    /** What is next cannot be decrypted: its key is missing, or it was changed at rest. */
    UNREADABLE,
    /** Partitions are left to the workers that they were last leased to: {@code stickyMs}. */
    RESERVED
  }

  public Popped {
    messages = List.copyOf(messages);
    settled = List.copyOf(settled);
  }

  public boolean isEmpty() {
    return messages.isEmpty();
  }
}
