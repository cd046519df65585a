package io.holdfast.client.consume;

import io.holdfast.api.TimeSource;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.message.Position;
import io.holdfast.client.RenewableLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A lease of a consumer, and what it holds: the messages of the pop that took it, and of those that
 * joined it.
 *
 * <p>It is joined a few times and then left to end: the broker keeps what a lease has settled for
 * as long as it lives, and the other partitions of the queue have to have their turn.
 *
 * <p>Invariant: a batch is here from its answer until it is settled, so that the news of a lease
 * reach all of them.
 *
 * <p>Thread: any.
 */
final class HeldLease implements RenewableLease {
  /** How many pops may join a lease. */
  static final int JOINS_MAX = 15;

  final String id;
  private final Duration length;
  private final TimeSource time;
  private final Reports reports;
  private volatile long endNanos;
  private volatile boolean lost;
  private final List<HeldBatch> batches = new ArrayList<>(2);
  private int joins;

  /** Whether a pop is on its way that may put more into it. */
  private boolean joining;

  /** Whether the answer of such a pop got lost: it may hold what nobody here knows. */
  private boolean inDoubt;

  /**
   * @param endNanos when it ends by this process's clock
   */
  HeldLease(String id, Duration length, long endNanos, TimeSource time, Reports reports) {
    this.id = id;
    this.length = length;
    this.endNanos = endNanos;
    this.time = time;
    this.reports = reports;
  }

  @Override
  public String leaseId() {
    return id;
  }

  @Override
  public Duration length() {
    return length;
  }

  /** Whether there is a lease at all: what was acked at delivery has none. */
  boolean exists() {
    return !id.isEmpty();
  }

  /** Whether it ended while messages were open: the broker said so, or its time is over. */
  boolean isLost() {
    return lost || (exists() && endNanos - time.nanos() <= 0);
  }

  @Override
  public long endNanos() {
    return endNanos;
  }

  /** The lease lasts at least until then. */
  synchronized void extendTo(long nanos) {
    if (!lost && nanos - endNanos > 0) {
      endNanos = nanos;
    }
  }

  @Override
  public void renewed(long untilNanos, List<Position> cancelled) {
    extendTo(untilNanos);
    cancelled(cancelled);
  }

  @Override
  public void retrying(RuntimeException cause, Duration after) {
    reports.retrying(cause, after);
  }

  // What it holds

  synchronized HeldBatch add(Popped popped, AckMode ackMode, Settling settling) {
    HeldBatch batch = new HeldBatch(this, popped.messages(), ackMode, settling);
    batches.add(batch);
    return batch;
  }

  /** A batch is settled. */
  synchronized void remove(HeldBatch batch) {
    batches.remove(batch);
  }

  /** Whether a batch is all that the lease holds or will hold, as far as is known here. */
  synchronized boolean holdsOnly(HeldBatch batch) {
    return !joining && batches.size() == 1 && batches.contains(batch);
  }

  @Override
  public synchronized boolean isWanted() {
    return !lost && batches.stream().anyMatch(HeldBatch::isWanted);
  }

  // Joining it

  /** A pop is about to join it; false if it may not. */
  synchronized boolean beginJoin() {
    if (isLost() || inDoubt || joins == JOINS_MAX) {
      return false;
    }
    joins++;
    joining = true;
    return true;
  }

  /**
   * The pop is over.
   *
   * @param answered false if nobody knows whether it put something into the lease
   */
  synchronized void endJoin(boolean answered) {
    joining = false;
    inDoubt |= !answered;
  }

  synchronized boolean isInDoubt() {
    return inDoubt;
  }

  // What the broker says of it

  /** Interrupts the handlers of its messages. */
  @Override
  public synchronized int lose() {
    if (!isWanted()) {
      return 0;
    }
    lost = true;
    int open = 0;
    for (HeldBatch batch : batches) {
      open += batch.openCount();
      batch.disturb();
    }
    return open;
  }

  @Override
  public void reportLost(int messages) {
    reports.leaseLost(id, messages);
  }

  /** Messages were taken out of the lease; a handler that has only such ones is interrupted. */
  synchronized void cancelled(List<Position> positions) {
    batches.forEach(batch -> batch.cancelled(positions));
  }
}
