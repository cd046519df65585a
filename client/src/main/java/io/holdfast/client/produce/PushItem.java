package io.holdfast.client.produce;

import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushedMessage;
import java.util.concurrent.CompletableFuture;

/** A message in a buffer, and whoever waits for it. */
final class PushItem {
  final NewMessage message;
  final CompletableFuture<PushedMessage> future = new CompletableFuture<>();
  long number;
  long addedNanos;

  /** Whether a thread that sends has to look at the buffer now that this is in it. */
  boolean wakesSender;

  PushItem(NewMessage message) {
    this.message = message;
  }

  int bytes() {
    return message.payload().length;
  }
}
