package io.holdfast.workflow.worker;

/**
 * The room that the code of activities has: so many run at a time, and while they are short, as
 * many wait for their turn, so that none of the slots stands empty while the broker is asked for
 * more.
 *
 * <p>One that waits too long goes back to the broker: others may have room for it.
 *
 * <p>Thread: any.
 */
final class Room {
  /** Activities that take longer on average are not fetched ahead. */
  private static final long SHORT_NANOS = 100_000_000;

  /** How long one that was fetched ahead waits at most. */
  private static final long WAIT_MS_MAX = 250;

  /** The average moves by one part in so many with each activity. */
  private static final int WEIGHT = 8;

  /** So many may also be in hand whose code has run, and whose results are being stored. */
  private static final int STORING = 16;

  private final Slots slots;
  private final Slots inHand;

  /** Long, until it is known to be short. */
  private volatile long averageNanos = 10 * SHORT_NANOS;

  Room(int size) {
    this.slots = new Slots(size);
    this.inHand = new Slots(2 * size + STORING);
  }

  /** Waits until something may be fetched, and answers how many, up to so many; they are taken. */
  int take(int most) throws InterruptedException {
    int room = inHand.take(most);
    if (averageNanos < SHORT_NANOS) {
      return room;
    }
    int free = 0;
    try {
      free = slots.awaitFree(room);
    } finally {
      inHand.give(room - free);
    }
    return free;
  }

  /** So many of those that were taken are not there, or are over. */
  void give(int count) {
    inHand.give(count);
  }

  /** Waits for the code to be allowed to run; false if that took too long. */
  boolean enter() {
    boolean entered = false;
    try {
      entered = slots.takeOne(WAIT_MS_MAX);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    if (!entered) {
      averageNanos = 10 * SHORT_NANOS;
    }
    return entered;
  }

  /** The code has run, for so long. */
  void leave(long took) {
    // Two at a time may lose one of them: it is an average.
    long average = averageNanos;
    averageNanos = average + (took - average) / WEIGHT;
    slots.give(1);
  }

  /** Waits until nothing is in hand; false if that took too long. */
  boolean awaitIdle(long ms) throws InterruptedException {
    return inHand.awaitIdle(ms);
  }
}
