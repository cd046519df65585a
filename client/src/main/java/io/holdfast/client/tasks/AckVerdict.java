package io.holdfast.client.tasks;

/** What came of an ack. */
public enum AckVerdict {
  /** The task has moved on by it. */
  APPLIED,
  /** It was said before: nothing changed, but a repeated Running renews the ack timeout. */
  REPEATED,
  /**
   * It came too late: the task is over, or went to somebody else after the ack timeout. Nothing
   * changed.
   */
  IGNORED,
  /** No task of that id is known. Nothing changed. */
  UNKNOWN
}
