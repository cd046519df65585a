package io.holdfast.workflow;

/**
 * Thrown once, by the await at which a flow learns that it was cancelled.
 *
 * <p>What was under way has been cancelled by then. Code that catches it can still call activities,
 * to make good for what was done; without a catch the flow ends as cancelled.
 */
public final class FlowCancelled extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public FlowCancelled(String reason) {
    super(reason);
  }

  public String reason() {
    String reason = getMessage();
    return reason == null ? "" : reason;
  }
}
