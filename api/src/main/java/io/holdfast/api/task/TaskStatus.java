package io.holdfast.api.task;

/** Where a task is in its life. */
public enum TaskStatus {
  QUEUED,
  RECEIVED,
  RUNNING,
  COMPLETE,
  /** The last attempt failed; it will be retried. */
  FAILED,
  DEAD
}
