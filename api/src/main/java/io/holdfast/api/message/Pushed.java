package io.holdfast.api.message;

import java.util.List;

/** What became of each message of a push, in the order of the request. */
public record Pushed(List<PushedMessage> messages) {
  public Pushed {
    messages = List.copyOf(messages);
  }
}
