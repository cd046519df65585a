package io.holdfast.api;

/**
 * A message in the hands of a consumer.
 *
 * @param leaseId the lease that holds it; empty if it was settled at delivery
 * @param attempt which delivery to this group this is, from 1
 * @param failures how often it was nacked by this group
 */
public record Delivery(Message message, String leaseId, int attempt, int failures) {
  public Handle handle() {
    return new Handle(leaseId, message.position());
  }
}
