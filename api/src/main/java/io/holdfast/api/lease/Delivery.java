package io.holdfast.api.lease;

import io.holdfast.api.message.Message;

/**
 * A message in the hands of a consumer.
 *
 * @param leaseId the lease that holds it; empty if it was settled at delivery
 * @param attempt which delivery to this group this is, from 1
 * @param failures how often it was nacked by this group
 * @param expiries how often a lease of this group expired while it held the message
 */
public record Delivery(Message message, String leaseId, int attempt, int failures, int expiries) {
  public Delivery(Message message, String leaseId, int attempt, int failures) {
    this(message, leaseId, attempt, failures, 0);
  }

  public Handle handle() {
    return new Handle(leaseId, message.position());
  }
}
