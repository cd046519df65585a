package io.holdfast.workflow.worker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The room that the code of activities has: so many run at a time, and while they are short, as
 * many wait for their turn, so that none of the slots stands empty while the broker is asked for
 * more.
 *
 * <p>A slot is a thread that takes one after the other, so that nobody has to be woken between two
 * of them; it is there while there is something to do. One that waits too long goes back to the
 * broker: others may have room for it.
 *
 * <p>Thread: any.
 */
final class Room {
  /** Something that needs room. */
  interface Job {
    /**
     * Does it, on the thread of a slot.
     *
     * @return how long its code ran, in nanoseconds; -1 if it did not
     */
    long run();

    /** There was no room for it in time. */
    void tooLate();
  }

  /** Activities that take longer on average are not fetched ahead. */
  private static final long SHORT_NANOS = 100_000_000;

  /** How long one that was fetched ahead waits at most. */
  private static final long WAIT_NANOS_MAX = 250_000_000;

  /** The average moves by one part in so many with each activity. */
  private static final int WEIGHT = 8;

  /** So many may also be in hand whose code has run, and whose results are being stored. */
  private static final int STORING = 16;

  /** One that waits for a slot, and since when. */
  private record Waiting(Job job, long sinceNanos) {}

  private final int size;
  private final long waitNanosMax;
  private final Slots inHand;
  private final Queue<Waiting> waiting = new ArrayDeque<>();

  /** Threads that have a slot, or are about to take one. */
  private int running;

  /** Whether one of them has not begun: it will see what waits, and start another if need be. */
  private boolean starting;

  private boolean watched;

  /** Those that do not return; each has lost its slot, as long as these are not too many. */
  private final Set<Job> abandoned = new HashSet<>();

  /** Long, until it is known to be short. */
  private long averageNanos = 10 * SHORT_NANOS;

  Room(int size) {
    this(size, WAIT_NANOS_MAX);
  }

  Room(int size, long waitNanosMax) {
    this.size = size;
    this.waitNanosMax = waitNanosMax;
    this.inHand = new Slots(2 * size + STORING);
  }

  /** Waits until something may be fetched, and answers how many, up to so many; they are taken. */
  int take(int most) throws InterruptedException {
    int room = inHand.take(most);
    int free = 0;
    try {
      free = awaitFree(room);
    } finally {
      inHand.give(room - free);
    }
    return free;
  }

  /** So many of those that were taken are not there, or are over. */
  void give(int count) {
    inHand.give(count);
  }

  private synchronized int awaitFree(int most) throws InterruptedException {
    while (averageNanos >= SHORT_NANOS && running + waiting.size() >= size) {
      wait();
    }
    return averageNanos < SHORT_NANOS ? most : Math.min(most, size - running - waiting.size());
  }

  /** Has a job done as soon as there is room for it. */
  void add(Job job) {
    synchronized (this) {
      waiting.add(new Waiting(job, System.nanoTime()));
    }
    attend();
  }

  /** Sees to it that what waits is taken by one more thread, or watched if there is no room. */
  private void attend() {
    boolean room;
    synchronized (this) {
      room = running < size;
      if (waiting.isEmpty() || (room ? starting : watched)) {
        return;
      }
      if (room) {
        starting = true;
        running++;
      } else {
        watched = true;
      }
    }
    if (room) {
      Thread.ofVirtual().name("flow-activity").start(this::work);
    } else {
      Thread.ofVirtual().name("flow-room").start(this::watch);
    }
  }

  private void work() {
    synchronized (this) {
      starting = false;
    }
    long took = -1;
    for (Job job = next(took); job != null; job = next(took)) {
      attend();
      took = job.run();
      if (isAbandoned(job)) {
        return;
      }
    }
  }

  private synchronized boolean isAbandoned(Job job) {
    return abandoned.remove(job);
  }

  /**
   * Gives the slot of a job that does not return to another one. There are at most as many such
   * jobs as slots: further ones keep theirs.
   */
  void abandon(Job job) {
    synchronized (this) {
      if (abandoned.size() == size || !abandoned.add(job)) {
        return;
      }
      running--;
      notifyAll();
    }
    attend();
  }

  /** How many jobs do not return. */
  synchronized int abandoned() {
    return abandoned.size();
  }

  private synchronized @Nullable Job next(long took) {
    if (took >= 0) {
      averageNanos += (took - averageNanos) / WEIGHT;
    }
    Waiting first = waiting.poll();
    if (first == null) {
      running--;
    }
    notifyAll();
    return first == null ? null : first.job;
  }

  /** Sends those away that wait too long, for as long as some wait. */
  private void watch() {
    List<Job> late = new ArrayList<>();
    for (long nanos = late(late); nanos > 0; nanos = late(late)) {
      late.forEach(Job::tooLate);
      late.clear();
      LockSupport.parkNanos(nanos);
    }
    late.forEach(Job::tooLate);
  }

  /** Takes out who has waited too long; answers when to look again, 0 for never. */
  private synchronized long late(List<Job> late) {
    for (Waiting first = waiting.peek(); first != null; first = waiting.peek()) {
      long leftNanos = waitNanosMax - (System.nanoTime() - first.sinceNanos);
      if (leftNanos > 0) {
        return Math.max(leftNanos, TimeUnit.MILLISECONDS.toNanos(1));
      }
      averageNanos = 10 * SHORT_NANOS;
      late.add(waiting.remove().job);
    }
    watched = false;
    return 0;
  }

  /** Waits until nothing is in hand; false if that took too long. */
  boolean awaitIdle(long ms) throws InterruptedException {
    return inHand.awaitIdle(ms);
  }
}
