package io.holdfast.client.remote;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/** The end of a connection, which many requests may learn of. */
final class LostConnectionException extends IOException {
  private static final long serialVersionUID = 1L;

  private final AtomicBoolean counted = new AtomicBoolean();

  LostConnectionException(IOException cause) {
    super(cause.getMessage() == null ? cause.toString() : cause.getMessage(), cause);
  }

  /**
   * Whether a failure of a request is to be counted against its address: each is, but the end of a
   * connection is once.
   */
  static boolean counts(IOException failure) {
    Throwable cause = failure instanceof NotSentException ? failure.getCause() : failure;
    return !(cause instanceof LostConnectionException lost)
        || lost.counted.compareAndSet(false, true);
  }
}
