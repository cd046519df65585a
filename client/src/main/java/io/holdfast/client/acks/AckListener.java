package io.holdfast.client.acks;

import java.time.Duration;

/**
 * Is told what an {@link AckClient} does by itself.
 *
 * <p>Thread: that of a subscription, of the client's timer, or of whoever closes it; so calls may
 * come at the same time. They hold up acks: be brief. What they throw is logged.
 */
public interface AckListener {
  /** Hears nothing. */
  AckListener NONE = new AckListener() {};

  /**
   * Acks were sent because a batch was full, its time was up or its lease was handled, or a nack
   * because a handler threw. What was not applied is in the result.
   */
  default void settled(AckResult result) {}

  /** A handler threw. Under auto-ack a nack follows; otherwise the message stays leased. */
  default void handlerFailed(QueueMessage message, Throwable error) {}

  /**
   * A subscription could not poll, or not send what had to go before, and tries again after a
   * pause. So it does for ever: what waiting does not mend, such as a {@code RefusedException} with
   * the code {@code LIMIT}, comes again until somebody sees to it or unsubscribes.
   */
  default void pollFailed(String subId, RuntimeException error, Duration pause) {}

  /**
   * A subscription has lost its broker, or the client is closed. Acks that waited in its batch were
   * dropped; their messages will be delivered again.
   *
   * @param cleared what was dropped; it has no verdicts if nothing waited
   */
  default void disconnected(String subId, AckResult cleared) {}

  /**
   * A subscription has found its broker again, and will go on with the settings there are. What was
   * cleared and is acked now, before this returns, may still count.
   */
  default void reconnected(String subId) {}
}
