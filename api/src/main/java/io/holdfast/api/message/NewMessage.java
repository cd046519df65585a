package io.holdfast.api.message;

import io.holdfast.api.Check;
import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.Limits;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message to push.
 *
 * @param partition the ordering unit; {@link #DEFAULT_PARTITION} unless said otherwise
 * @param lane the priority, 0 first
 * @param payload opaque bytes; not copied, so leave them alone after the push
 * @param transactionId the producer's name for it, unique in its partition; null for none
 * @param delayMs not visible before this long after the push; 0 for at once
 * @param visibleAtMs not visible before this time (epoch milliseconds); 0 for at once
 */
public record NewMessage(
    String queue,
    String partition,
    int lane,
    byte[] payload,
    @Nullable String transactionId,
    Map<String, String> headers,
    long delayMs,
    long visibleAtMs) {
  /** The partition of messages that name none. */
  public static final String DEFAULT_PARTITION = "Default";

  public NewMessage {
    Check.name("queue", queue);
    Check.name("partition", partition);
    Check.notNegative("lane", lane);
    if (payload == null) {
      throw new InvalidArgumentException("payload: expected bytes, but there are none");
    }
    if (transactionId != null) {
      Check.key("transactionId", transactionId);
    }
    headers = Map.copyOf(headers);
    if (headers.size() > Limits.HEADERS_MAX) {
      throw new InvalidArgumentException(
          "headers: expected at most " + Limits.HEADERS_MAX + ", but got " + headers.size());
    }
    headers.forEach(
        (key, value) -> {
          Check.name("headers", key);
          if (value.length() > Check.KEY_CHARS_MAX) {
            throw new InvalidArgumentException(
                "headers." + key + ": expected at most " + Check.KEY_CHARS_MAX + " characters");
          }
        });
    Check.within("delayMs", delayMs, 0, Limits.DURATION_MS_MAX);
    Check.within("visibleAtMs", visibleAtMs, 0, 100 * Limits.DURATION_MS_MAX);
    if (delayMs > 0 && visibleAtMs > 0) {
      throw new InvalidArgumentException("delayMs: expected this or visibleAtMs, but got both");
    }
  }

  /** A message for the default partition of a queue, lane 0, visible at once. */
  public static NewMessage to(String queue, byte[] payload) {
    return new NewMessage(queue, DEFAULT_PARTITION, 0, payload, null, Map.of(), 0, 0);
  }

  public NewMessage partition(String name) {
    return new NewMessage(queue, name, lane, payload, transactionId, headers, delayMs, visibleAtMs);
  }

  public NewMessage lane(int priority) {
    return new NewMessage(
        queue, partition, priority, payload, transactionId, headers, delayMs, visibleAtMs);
  }

  public NewMessage transactionId(String name) {
    return new NewMessage(queue, partition, lane, payload, name, headers, delayMs, visibleAtMs);
  }

  public NewMessage headers(Map<String, String> values) {
    return new NewMessage(
        queue, partition, lane, payload, transactionId, values, delayMs, visibleAtMs);
  }

  public NewMessage delayMs(long delay) {
    return new NewMessage(
        queue, partition, lane, payload, transactionId, headers, delay, visibleAtMs);
  }

  public NewMessage visibleAtMs(long time) {
    return new NewMessage(queue, partition, lane, payload, transactionId, headers, delayMs, time);
  }
}
