package io.holdfast.api.message;

import io.holdfast.api.Check;

/** Takes a message back, in whatever state it is. */
public record CancelRequest(MessageRef message) {
  public CancelRequest {
    Check.present("message", message);
  }

  public static CancelRequest of(MessageRef message) {
    return new CancelRequest(message);
  }
}
