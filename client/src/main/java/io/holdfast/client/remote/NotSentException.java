package io.holdfast.client.remote;

import java.io.IOException;

/** A request that surely had no effect, because not all of it was sent. */
final class NotSentException extends IOException {
  private static final long serialVersionUID = 1L;

  NotSentException(IOException cause) {
    super(cause.getMessage(), cause);
  }
}
