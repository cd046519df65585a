package io.holdfast.client.acks;

import io.holdfast.api.Limits;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueueOptions;

/**
 * How a queue delivers, as far as acks care.
 *
 * @param known whether there is such a queue
 * @param ordered one lease at a time for each partition: it is locked until that lease is settled
 * @param blocks a failed message of an ordered partition holds up those behind it
 * @param leaseMs how long a lease lasts unless a pop says
 */
record QueueRules(boolean known, boolean ordered, boolean blocks, long leaseMs) {
  /** Of a queue that is not there yet: the careful guess. */
  static final QueueRules UNKNOWN = new QueueRules(false, true, true, Limits.LEASE_MS_MAX);

  private static final long MS_PER_SECOND = 1_000;

  static QueueRules of(QueueOptions options) {
    boolean ordered = options.text(QueueOption.DELIVERY).equals("ordered");
    return new QueueRules(
        true,
        ordered,
        ordered && options.text(QueueOption.ON_FAILURE).equals("block"),
        options.number(QueueOption.LEASE_TIME) * MS_PER_SECOND);
  }
}
