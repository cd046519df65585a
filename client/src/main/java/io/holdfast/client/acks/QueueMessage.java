package io.holdfast.client.acks;

import io.holdfast.api.lease.Delivery;
import io.holdfast.api.message.Message;
import java.time.Instant;
import java.util.Optional;

/**
 * A message as a subscription hands it to its handler.
 *
 * @param topic where it came from, {@code queue://} and a name; empty for none
 * @param bookmark what an ack of it names, a {@link Bookmark} as text; empty if it was settled at
 *     delivery
 * @param leaseUntilMs when its lease ends, by the broker's clock (epoch milliseconds); 0 without
 *     one
 * @param subId the subscription that received it
 */
public record QueueMessage(
    String topic, String bookmark, long leaseUntilMs, String subId, Delivery delivery) {

  static QueueMessage of(Topic topic, String subId, Delivery delivery, long leaseUntilMs) {
    boolean leased = !delivery.leaseId().isEmpty();
    return new QueueMessage(
        topic.text(),
        leased ? Bookmark.of(delivery.handle()).text() : "",
        leased ? leaseUntilMs : 0,
        subId,
        delivery);
  }

  /** When its lease ends; absent if it was settled at delivery. */
  public Optional<Instant> leasePeriod() {
    return leaseUntilMs > 0 ? Optional.of(Instant.ofEpochMilli(leaseUntilMs)) : Optional.empty();
  }

  /** Whether it has all that an ack needs: topic, bookmark and lease period. */
  public boolean isAckable() {
    return !topic.isEmpty() && !bookmark.isEmpty() && leaseUntilMs > 0;
  }

  public Message message() {
    return delivery.message();
  }

  public byte[] payload() {
    return message().payload();
  }
}
