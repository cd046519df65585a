package io.holdfast.workflow;

/** One attempt of an activity, as its code sees it. */
public interface Work {
  /** The flow that asked for it. */
  String flow();

  String activity();

  /** Which attempt this is, from 1; one that a dead worker began counts as well. */
  int attempt();

  /** The same for every attempt of this very call: a key to make its effects happen once. */
  String key();

  /** Whether nobody wants the result any more; the thread is interrupted then as well. */
  boolean isCancelled();

  /**
   * Whether the lease ended while the activity ran, as it does if the broker cannot be reached:
   * another worker does the activity again. The thread is interrupted then as well.
   */
  boolean isLeaseLost();
}
