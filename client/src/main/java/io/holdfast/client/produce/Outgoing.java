package io.holdfast.client.produce;

import io.holdfast.api.message.NewMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A message on its way out. Queue and partition are those it is pushed to.
 *
 * <p>Thread: any; immutable, if the payload is left alone.
 */
public final class Outgoing {
  /** The parts of the message; its queue and partition are replaced when it is pushed. */
  private final NewMessage message;

  private Outgoing(NewMessage message) {
    this.message = message;
  }

  /** A text, as UTF-8. Over HTTP it should be JSON. */
  public static Outgoing text(String text) {
    return bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Opaque bytes; they are not copied, so leave them alone after the push. */
  public static Outgoing bytes(byte[] payload) {
    return new Outgoing(NewMessage.to("not said yet", payload));
  }

  /** The producer's own name: a second message of that name is not stored in the partition. */
  public Outgoing transactionId(String name) {
    return new Outgoing(message.transactionId(name));
  }

  /** Not delivered before so long after the push. */
  public Outgoing delay(Duration time) {
    return new Outgoing(message.delayMs(time.toMillis()));
  }

  /** Not delivered before that time. */
  public Outgoing visibleAt(Instant time) {
    return new Outgoing(message.visibleAtMs(time.toEpochMilli()));
  }

  /** 0 comes first, and is what messages have that say nothing. */
  public Outgoing priority(int lane) {
    return new Outgoing(message.lane(lane));
  }

  public Outgoing header(String name, String value) {
    Map<String, String> headers = new LinkedHashMap<>(message.headers());
    headers.put(name, value);
    return new Outgoing(message.headers(headers));
  }

  /** The message, for a queue and a partition. */
  public NewMessage to(String queue, String partition) {
    return new NewMessage(
        queue,
        partition,
        message.lane(),
        message.payload(),
        message.transactionId(),
        message.headers(),
        message.delayMs(),
        message.visibleAtMs());
  }
}
