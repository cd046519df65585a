package io.holdfast.engine.logic;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.lease.Extended;
import io.holdfast.api.message.Position;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.Reply;
import java.util.ArrayList;
import java.util.List;

/** Gives live leases more time. */
final class LeaseHandler {
  private LeaseHandler() {}

  static Reply extend(Turn turn, String leaseId, long leaseMs) {
    Lease lease = SettleHandler.live(turn, LeaseId.number(leaseId));
    if (lease == null) {
      return Turn.refused(
          ErrorCode.STALE_LEASE, "the lease has expired, was ended, or never existed");
    }
    long untilMs = turn.nowMs() + leaseMs;
    if (untilMs > lease.untilMs) {
      turn.state().extend(lease, untilMs);
    }
    List<Position> cancelled = cancelled(lease);
    boolean news = cancelled.size() > lease.told;
    if (news) {
      lease.told = cancelled.size();
      turn.state().touch(lease);
    }
    return new Reply.ExtendedLease(new Extended(lease.untilMs, lease.open, cancelled), news);
  }

  private static List<Position> cancelled(Lease lease) {
    List<Position> cancelled = new ArrayList<>();
    for (Slice slice : lease.slices) {
      for (int i = 0; i < slice.items.size(); i++) {
        if (slice.items.status(i) == Items.CANCELLED) {
          cancelled.add(
              new Position(
                  slice.subscription.partition.number, slice.items.lane(i), slice.items.seq(i)));
        }
      }
    }
    return cancelled;
  }
}
