package io.holdfast.cluster.raft;

import java.io.Serial;

/** A cluster operation failed, or a node cannot start; the message explains it to an operator. */
public final class ClusterException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  public ClusterException(String message) {
    super(message);
  }

  public ClusterException(String message, Throwable cause) {
    super(message, cause);
  }
}
