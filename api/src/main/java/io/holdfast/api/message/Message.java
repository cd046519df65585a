package io.holdfast.api.message;

import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A stored message.
 *
 * @param id a UUIDv7, the same for as long as the message exists
 * @param partition the name of its partition
 * @param position where it stands; of a delayed message, where it was announced
 * @param createdMs when it was pushed (epoch milliseconds)
 * @param visibleMs when it entered, or will enter, its lane
 * @param seal how its payload is encrypted at rest; null if it is not
 */
public record Message(
    UUID id,
    String queue,
    String partition,
    Position position,
    @Nullable String transactionId,
    byte[] payload,
    Map<String, String> headers,
    long createdMs,
    long visibleMs,
    @Nullable Seal seal) {
  /** A message whose payload lies as it is. */
  public Message(
      UUID id,
      String queue,
      String partition,
      Position position,
      @Nullable String transactionId,
      byte[] payload,
      Map<String, String> headers,
      long createdMs,
      long visibleMs) {
    this(
        id,
        queue,
        partition,
        position,
        transactionId,
        payload,
        headers,
        createdMs,
        visibleMs,
        null);
  }

  /** The same message with another payload. */
  public Message payload(byte[] bytes, @Nullable Seal how) {
    return new Message(
        id, queue, partition, position, transactionId, bytes, headers, createdMs, visibleMs, how);
  }
}
