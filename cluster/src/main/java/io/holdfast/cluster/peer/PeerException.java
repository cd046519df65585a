package io.holdfast.cluster.peer;

import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Another node did not answer. */
public final class PeerException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  private final boolean sent;

  /**
   * @param sent whether the request may have reached the other node
   */
  PeerException(String message, boolean sent, @Nullable Throwable cause) {
    super(message, cause);
    this.sent = sent;
  }

  /** Whether the request may have had its effect; otherwise it surely had none. */
  public boolean wasSent() {
    return sent;
  }
}
