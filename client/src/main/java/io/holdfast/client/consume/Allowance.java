package io.holdfast.client.consume;

/**
 * How many messages a consumer may still take, shared by its workers: each reserves before it pops
 * and gives back what did not come.
 *
 * <p>Invariant: what was taken and what is reserved never exceed the limit.
 *
 * <p>Thread: any.
 */
final class Allowance {
  /** The limit of a consumer that has none. */
  static final long UNLIMITED = Long.MAX_VALUE;

  private final long limit;
  private long taken;
  private long reserved;

  Allowance(long limit) {
    this.limit = limit;
  }

  /** Reserves up to so many; 0 if there is nothing to reserve now. */
  synchronized int reserve(int most) {
    int count = (int) Math.min(most, limit - taken - reserved);
    reserved += count;
    return count;
  }

  /** Of so many reserved ones, so many came. */
  synchronized void used(int count, int came) {
    reserved -= count;
    taken += came;
  }

  /** So many that came are not handled after all. */
  synchronized void giveBack(int count) {
    taken -= count;
  }

  /** Whether a worker that got nothing may get something later. */
  synchronized boolean isSpent() {
    return taken >= limit;
  }

  synchronized boolean isAvailable() {
    return taken + reserved < limit;
  }
}
