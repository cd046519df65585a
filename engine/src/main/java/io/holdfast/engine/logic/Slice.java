package io.holdfast.engine.logic;

/**
 * The messages of one lease that belong to one subscription.
 *
 * <p>Invariant, of a live lease: the subscription counts the slice, and has the lease among its
 * leases as long as a message of the slice is open.
 */
public final class Slice {
  public final Subscription subscription;
  public final Items items;

  private boolean counted;

  Slice(Subscription subscription) {
    this(subscription, new Items());
  }

  Slice(Subscription subscription, Items items) {
    this.subscription = subscription;
    this.items = items;
  }

  /** Tells the subscription what the lease holds of it. */
  void enter(Lease lease) {
    if (!counted) {
      counted = true;
      subscription.slices++;
    }
    if (items.open() > 0) {
      subscription.add(lease);
    }
  }

  /** Lets go of the subscription if nothing is open any more; answers whether it did so now. */
  boolean free(Lease lease) {
    return items.open() == 0 && subscription.remove(lease);
  }

  /** The lease is over. */
  void leave() {
    if (counted) {
      counted = false;
      subscription.slices--;
    }
  }

  long lowestOpen(int lane, long fromSeq) {
    long lowest = Long.MAX_VALUE;
    for (int i = 0; i < items.size(); i++) {
      if (items.lane(i) == lane && items.status(i) == Items.OPEN && items.seq(i) >= fromSeq) {
        lowest = Math.min(lowest, items.seq(i));
      }
    }
    return lowest;
  }
}
