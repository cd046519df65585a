package io.holdfast.api.message;

/** Where a message is in its life, as one group sees it. */
public enum MessageState {
  /** Pushed, and not yet due to enter its lane. */
  DELAYED,
  /** In its lane, never delivered to the group. */
  WAITING,
  /** Came back: released, expired or nacked; it will be delivered again. */
  RETURNED,
  /** Held by a live lease. */
  IN_FLIGHT,
  /** Settled by the group, and still kept. */
  SETTLED,
  /** A dead letter of the group. */
  DEAD
}
