package io.holdfast.client.acks;

/** What an application does with each message of a subscription, one after the other. */
@FunctionalInterface
public interface MessageHandler {
  /** Handles a message. Under auto-ack, to return is to ack and to throw is to nack. */
  void handle(QueueMessage message) throws Exception;
}
