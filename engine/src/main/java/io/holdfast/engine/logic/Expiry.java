package io.holdfast.engine.logic;

/** Leases whose time is over, and memories that are. */
final class Expiry {
  private Expiry() {}

  /**
   * Takes back what expired leases hold until the budget is spent; answers whether there is more.
   *
   * <p>A lease may expire in several commands. Its holder does not notice: from the end of its time
   * on every settle and extend is refused as stale, whether the message has been returned or not.
   */
  static boolean run(Turn turn) {
    ShardState state = turn.state();
    CommandBudget.Loop loop = turn.budget().loop();
    while (!state.expiries.isEmpty() && state.expiries.first().untilMs <= turn.nowMs()) {
      Lease lease = state.expiries.first();
      if (ShardState.isGone(lease.group)) {
        if (!loop.mayContinue()) {
          return true;
        }
        Settlement.endOrphan(turn, lease);
        continue;
      }
      boolean all = expire(turn, lease, loop);
      Settlement.finish(turn, lease);
      if (!all) {
        return true;
      }
    }
    return false;
  }

  /** Takes messages back from a lease; false if the budget did not last for all of them. */
  private static boolean expire(Turn turn, Lease lease, CommandBudget.Loop loop) {
    for (Slice slice : lease.slices) {
      for (int i = 0; i < slice.items.size(); i++) {
        if (slice.items.status(i) != Items.OPEN) {
          continue;
        }
        if (!loop.mayContinue()) {
          return false;
        }
        new Settlement(turn, lease, slice, i).expire();
      }
    }
    return true;
  }

  /** Ends leases of deleted groups until the budget is spent; answers whether that was all. */
  static boolean endOrphans(Turn turn) {
    CommandBudget.Loop loop = turn.budget().loop();
    Lease lease = turn.state().firstOrphan();
    while (lease != null && loop.mayContinue()) {
      Settlement.endOrphan(turn, lease);
      lease = turn.state().firstOrphan();
    }
    return lease == null;
  }

  /** Deletes the answers that are no longer remembered, and sessions that are no longer used. */
  static void forget(Turn turn) {
    ShardState state = turn.state();
    state.ended.deleteExpired(turn.tx(), turn.nowMs());
    state.requests.deleteExpired(turn.tx(), turn.nowMs());
    state.requestBytes.deleteExpired(turn.nowMs());
    state.sessions.dropExpired(turn);
  }
}
