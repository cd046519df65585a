package io.holdfast.engine.logic;

import io.holdfast.api.lease.PopRequest;
import io.holdfast.engine.command.Stamp;
import io.holdfast.engine.command.WorkerNumber;

/**
 * Which partitions a pop leaves to the workers that they were last leased to.
 *
 * @param worker the number of the worker that pops; {@link WorkerNumber#NONE} if it leaves none
 * @param stickyMs how long a partition is left to another worker, from when it had a message
 * @param othersFirst whether partitions that are no longer left to others go before its own
 */
record Affinity(int worker, long stickyMs, long nowMs, boolean othersFirst) {
  /**
   * One of so many pops takes first from partitions that other workers did not come for in time.
   * The others take first from their own, so that workers under load keep them, and the partitions
   * of a dead worker still get a share.
   */
  private static final int OTHERS_FIRST_EVERY = 8;

  static Affinity of(Stamp stamp, PopRequest request) {
    return new Affinity(
        WorkerNumber.of(request),
        request.stickyMs(),
        stamp.nowMs(),
        stamp.index() % OTHERS_FIRST_EVERY == 0);
  }

  boolean isSticky() {
    return worker != WorkerNumber.NONE;
  }

  /** Whether the pop leaves a subscription to another worker now. */
  boolean leaves(Subscription subscription) {
    return isSticky()
        && subscription.isSticky()
        && subscription.worker != worker
        && untilMs(subscription) > nowMs;
  }

  /** Until when a subscription is left to the worker that it was last leased to. */
  long untilMs(Subscription subscription) {
    return subscription.availableMs + stickyMs;
  }
}
