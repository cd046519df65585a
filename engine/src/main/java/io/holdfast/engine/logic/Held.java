package io.holdfast.engine.logic;

import io.holdfast.api.message.MessageState;
import org.jspecify.annotations.Nullable;

/**
 * What a group has to do with a message of a lane.
 *
 * @param state null if the group has settled it
 * @param lease the lease that holds it, with its slice and item; null if none does
 * @param returned what is known of it, if it came back
 */
public record Held(
    @Nullable MessageState state,
    @Nullable Lease lease,
    @Nullable Slice slice,
    int item,
    @Nullable Returned returned) {
  public static Held find(Subscription subscription, int lane, long seq) {
    LaneCursor cursor = subscription.cursor(lane);
    Returned returned = cursor == null ? null : cursor.returned(seq);
    for (Lease lease : subscription.leases) {
      Slice slice = lease.slice(subscription.partition.number);
      int item = slice == null ? -1 : slice.items.find(seq);
      if (slice != null && item >= 0 && slice.items.status(item) == Items.OPEN) {
        return new Held(MessageState.IN_FLIGHT, lease, slice, item, returned);
      }
    }
    if (returned != null) {
      return new Held(MessageState.RETURNED, null, null, -1, returned);
    }
    boolean waiting = cursor == null ? isIn(subscription, lane, seq) : seq >= cursor.nextSeq;
    return new Held(waiting ? MessageState.WAITING : null, null, null, -1, null);
  }

  /** Whether a lane has the message: one that another group got back may have left it long ago. */
  private static boolean isIn(Subscription subscription, int number, long seq) {
    Lane lane = subscription.partition.lane(number);
    return lane != null && seq >= lane.firstSeq;
  }
}
