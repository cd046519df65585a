package io.holdfast.workflow;

/** Why a flow is blocked. The order is part of the stored form: add at the end. */
public enum BlockCause {
  /** The code does something else than the history says. */
  CODE_DIFFERS,
  /** No worker that had a turn knows the code. */
  CODE_UNKNOWN,
  HISTORY_UNREADABLE,
  /** What one turn brings about is larger than the broker takes. */
  TURN_TOO_LARGE,
  /** Workers died in a turn of the flow, or in one of its activities. */
  WORKERS_DIED
}
