package io.holdfast.workflow;

/**
 * Told what happens to flows, for metrics and logs; each method does nothing unless overridden.
 *
 * <p>Thread: those of the workers; a listener must not block them.
 */
public interface FlowsListener {
  /** Nobody listens. */
  FlowsListener NONE = new FlowsListener() {};

  /** A flow began its first turn. */
  default void started(String id, String name) {}

  /** A flow ended. */
  default void ended(String id, String name, FlowStatus how) {}

  /** A flow cannot go on; it waits for somebody. */
  default void blocked(String id, String name, String reason) {}

  /**
   * A turn was stored.
   *
   * @param replayed whether the flow had to be made again from its history
   */
  default void turn(String id, int events, long nanos, boolean replayed) {}

  /** A turn was given back, and will come again. */
  default void turnAbandoned(String id, String reason) {}

  /** An attempt of an activity ended well. */
  default void activityDone(String flow, String activity, long nanos) {}

  /** An attempt of an activity failed; it may be tried again. */
  default void activityFailed(String flow, String activity, Failure failure, boolean again) {}

  /** An activity that was under way is not wanted any more. */
  default void activityCancelled(String flow, String activity) {}

  /** The lease of an activity ended while it ran; another worker does it again. */
  default void activityLeaseLost(String flow, String activity) {}
}
