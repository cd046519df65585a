package io.holdfast.engine.logic;

/** The messages of one lease that belong to one subscription. */
final class Slice {
  final Subscription subscription;
  final Items items;

  Slice(Subscription subscription) {
    this(subscription, new Items());
  }

  Slice(Subscription subscription, Items items) {
    this.subscription = subscription;
    this.items = items;
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
