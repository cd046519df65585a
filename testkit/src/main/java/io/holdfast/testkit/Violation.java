package io.holdfast.testkit;

/** A promise that a history shows to be broken, with the events that show it. */
public record Violation(Kind kind, String detail) {
  /** Which promise. */
  public enum Kind {
    /** A settle was accepted though another lease had been granted the message since. */
    STALE_SETTLE,
    /** A message was settled for good twice, without a replay in between. */
    ACKED_TWICE,
    /** A message was delivered after its ack had been answered, without a replay in between. */
    DELIVERED_AFTER_ACK,
    /** An acknowledged push was never acked and is not there any more. */
    LOST,
    /** A message was delivered that nobody pushed. */
    NEVER_PUSHED,
    /** Two live leases of a group held one message. */
    HELD_TWICE,
    /** A message of an ordered lane was overtaken by a later one. */
    OUT_OF_ORDER,
    /** A live lease's own settle was refused. */
    REFUSED_WITHOUT_CAUSE
  }

  @Override
  public String toString() {
    return kind + ": " + detail;
  }
}
