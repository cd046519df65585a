package io.holdfast.api;

/** Takes a message back, in whatever state it is. */
public record CancelRequest(MessageRef message) {
  public CancelRequest {
    Check.present("message", message);
  }

  public static CancelRequest of(MessageRef message) {
    return new CancelRequest(message);
  }
}
