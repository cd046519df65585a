package io.holdfast.client.consume;

/** What an application does with one message. */
@FunctionalInterface
public interface MessageHandler {
  /** Returning says that it is done; throwing says that it failed. */
  void handle(HeldMessage message) throws Exception;
}
