package io.holdfast.workflow.worker;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * How many things a worker may do at a time.
 *
 * <p>Thread: any.
 */
final class Slots {
  private final int max;
  private final Semaphore free;

  Slots(int max) {
    this.max = max;
    this.free = new Semaphore(max);
  }

  /** Waits for a free slot, and takes up to so many of them. */
  int take(int most) throws InterruptedException {
    free.acquire();
    int taken = 1;
    while (taken < most && free.tryAcquire()) {
      taken++;
    }
    return taken;
  }

  /** Waits for one free slot; false if there was none in time. */
  boolean takeOne(long ms) throws InterruptedException {
    return free.tryAcquire(ms, TimeUnit.MILLISECONDS);
  }

  /** Waits until a slot is free, and answers how many are, up to so many. */
  int awaitFree(int most) throws InterruptedException {
    int seen = take(most);
    give(seen);
    return seen;
  }

  void give(int count) {
    if (count > 0) {
      free.release(count);
    }
  }

  /** Waits until nothing is being done; false if that took too long. */
  boolean awaitIdle(long ms) throws InterruptedException {
    boolean idle = free.tryAcquire(max, ms, TimeUnit.MILLISECONDS);
    if (idle) {
      free.release(max);
    }
    return idle;
  }
}
