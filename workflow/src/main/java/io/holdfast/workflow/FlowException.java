package io.holdfast.workflow;

import org.jspecify.annotations.Nullable;

/** Thrown to those who ask something of a flow that cannot be answered. */
public final class FlowException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why. */
  public enum Reason {
    /** There is no flow of that id. */
    NOT_FOUND,
    /** A flow of that id exists, and is another one. */
    CONFLICT,
    /** The flow is in a status in which this cannot be done. */
    WRONG_STATUS,
    /** Other flows hang on it. */
    HAS_CHILDREN,
    /** It has not ended in the time that was given. */
    TIMEOUT,
    /** It failed. */
    FAILED,
    /** It was cancelled. */
    CANCELLED,
    /** It was terminated. */
    TERMINATED
  }

  private final Reason reason;
  private final transient @Nullable Failure failure;

  public FlowException(Reason reason, String message) {
    this(reason, message, null);
  }

  public FlowException(Reason reason, String message, @Nullable Failure failure) {
    super(message);
    this.reason = reason;
    this.failure = failure;
  }

  public Reason reason() {
    return reason;
  }

  /** How the flow failed; null if that is not what this is about. */
  public @Nullable Failure failure() {
    return failure;
  }
}
