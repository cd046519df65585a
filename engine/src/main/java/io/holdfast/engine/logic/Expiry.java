package io.holdfast.engine.logic;

import io.holdfast.engine.store.Tables;

/** Leases whose time is over, and memories that are. */
final class Expiry {
  private Expiry() {}

  /** Takes back what expired leases hold, a bounded part of it; answers whether there is more. */
  static boolean run(Turn turn) {
    ShardState state = turn.state();
    int leases = LogicLimits.EXPIRE_MAX;
    int messages = LogicLimits.EXPIRE_MESSAGES_MAX;
    while (!state.expiries.isEmpty() && state.expiries.first().untilMs <= turn.nowMs()) {
      if (leases-- == 0 || messages <= 0) {
        return true;
      }
      Lease lease = state.expiries.first();
      messages -= lease.open;
      expire(turn, lease);
    }
    return false;
  }

  private static void expire(Turn turn, Lease lease) {
    for (Slice slice : lease.slices) {
      for (int i = 0; i < slice.items.size(); i++) {
        if (slice.items.status(i) == Items.OPEN) {
          new Settlement(turn, lease, slice, i).expire();
        }
      }
    }
    Settlement.finish(turn, lease);
  }

  /** Forgets ended leases and request ids that are over or too many. */
  static void forget(Turn turn) {
    ShardState state = turn.state();
    long ended = state.ended.forget(turn.nowMs(), LogicLimits.AGENDA_MAX * 10);
    if (ended > 0) {
      turn.tx().deleteRange(Tables.start(Tables.ENDED), Tables.ended(ended, 0));
    }
    long requests = state.requests.forget(turn.nowMs(), LogicLimits.AGENDA_MAX * 10);
    if (requests > 0) {
      turn.tx().deleteRange(Tables.start(Tables.REQUESTS), Tables.request(requests, ""));
    }
  }
}
