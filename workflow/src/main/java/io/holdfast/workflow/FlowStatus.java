package io.holdfast.workflow;

/** Where a flow stands. */
public enum FlowStatus {
  /** Asked for; its first turn is still to come. */
  PENDING,
  /** It runs, or waits for something. */
  RUNNING,
  /** Somebody made it stop for now; what comes is kept. */
  SUSPENDED,
  /** It cannot go on as its code or history is; what comes is kept, and nothing is lost. */
  BLOCKED,
  COMPLETED,
  FAILED,
  CANCELLED,
  TERMINATED;

  /** Whether it is over. */
  public boolean isEnded() {
    return switch (this) {
      case COMPLETED, FAILED, CANCELLED, TERMINATED -> true;
      case PENDING, RUNNING, SUSPENDED, BLOCKED -> false;
    };
  }
}
