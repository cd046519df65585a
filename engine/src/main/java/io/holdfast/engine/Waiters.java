package io.holdfast.engine;

import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.PopSource;
import io.holdfast.engine.WaitLines.Kind;
import io.holdfast.engine.command.Effect;
import io.holdfast.engine.command.WorkerNumber;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls that are parked until something happens: pops by queue, partition or tags, extends by
 * lease, readers by record.
 *
 * <p>A push signals the first call of each line that can find its message, and no other. The next
 * one in the same line is signalled by a pop that leaves something, and by one that was signalled
 * and did not look. So no wake-up is lost and few are wasted, and an effect costs as much as the
 * calls that it signals, however many are parked.
 *
 * <p>Invariant: {@code lines} holds exactly the parked calls that are not signalled. One that is
 * signalled comes back to its place when it is armed again.
 *
 * <p>Thread: any.
 */
final class Waiters {
  /** One parked call. */
  final class Waiter implements AutoCloseable {
    final WaitKey key;
    final Kind kind;

    /** The {@link WorkerNumber} of a sticky pop. */
    final int worker;

    final long number;
    private final Runnable wake;
    private volatile boolean signalled;
    private boolean gone;

    private Waiter(WaitKey key, Kind kind, int worker, long number, Runnable wake) {
      this.key = key;
      this.kind = kind;
      this.worker = worker;
      this.number = number;
      this.wake = wake;
    }

    /** Forgets earlier signals: from here on every event counts. */
    void arm() {
      if (signalled) {
        rearm(this);
      }
    }

    boolean isSignalled() {
      return signalled;
    }

    /** Signals the next call of the same line, which may find work too. */
    void passOn() {
      Waiter next = takeNext(this);
      if (next != null) {
        next.wake.run();
      }
    }

    /** Leaves; a signal that came after the last look is passed on. */
    @Override
    public void close() {
      if (leave(this)) {
        passOn();
      }
    }
  }

  private final int max;
  private final WaitLines lines = new WaitLines();
  private long entered;
  private volatile int count;
  private volatile boolean closed;

  Waiters(int max) {
    this.max = max;
  }

  int count() {
    return count;
  }

  boolean isClosed() {
    return closed;
  }

  /** The number of parked calls visited by wake-ups so far; tests limit it. */
  synchronized long visited() {
    return lines.visited();
  }

  /**
   * A place for a pop; null if too many wait already.
   *
   * @param wake called after each signal, outside of all locks; it must not block
   */
  @Nullable Waiter enter(PopRequest request, Runnable wake) {
    WaitKey key =
        switch (request.source()) {
          case PopSource.WholeQueue whole -> new WaitKey.Queue(whole.queue());
          case PopSource.OnePartition one -> new WaitKey.Partition(one.queue(), one.partition());
          case PopSource.Tagged tagged -> new WaitKey.Tags(tagged);
        };
    Kind kind = new Kind(request.group(), request.joinLease(), request.stickyMs());
    return enter(key, kind, WorkerNumber.of(request), wake);
  }

  /** A place for an extend or the reader of a record; null if too many wait already. */
  @Nullable Waiter enter(WaitKey key, Runnable wake) {
    return enter(key, Kind.NO_POP, WorkerNumber.NONE, wake);
  }

  private synchronized @Nullable Waiter enter(WaitKey key, Kind kind, int worker, Runnable wake) {
    if (count >= max) {
      return null;
    }
    Waiter waiter = new Waiter(key, kind, worker, entered++, wake);
    lines.add(waiter);
    count++;
    return waiter;
  }

  private synchronized void rearm(Waiter waiter) {
    waiter.signalled = false;
    lines.add(waiter);
  }

  /** Removes a call; answers whether it had a signal that it has not used. */
  private synchronized boolean leave(Waiter waiter) {
    if (waiter.gone) {
      return false;
    }
    waiter.gone = true;
    count--;
    lines.remove(waiter);
    return waiter.signalled;
  }

  private synchronized @Nullable Waiter takeNext(Waiter from) {
    Waiter next = lines.next(from);
    if (next != null) {
      signal(next);
    }
    return next;
  }

  /** Sets the signal; the caller wakes the call, after it has released the lock. */
  private void signal(Waiter waiter) {
    waiter.signalled = true;
    lines.remove(waiter);
  }

  /** Wakes the calls that effects concern. */
  void run(List<Effect> effects) {
    if (count == 0) {
      return;
    }
    List<Waiter> woken = new ArrayList<>();
    for (Effect effect : effects) {
      if (effect instanceof Effect.OnLeader wake) {
        signal(wake, woken);
      }
    }
    wake(woken);
  }

  private synchronized void signal(Effect.OnLeader effect, List<Waiter> woken) {
    switch (effect) {
      case Effect.WakePops wake -> {
        signalFirsts(new WaitKey.Queue(wake.queue()), wake, woken);
        signalFirsts(new WaitKey.Partition(wake.queue(), wake.partition()), wake, woken);
        if (lines.hasPartsOf(new WaitKey.AllQueues())) {
          signalTagged(wake, woken);
        }
      }
      case Effect.WakeQueue wake -> {
        signal(lines.all(new WaitKey.Queue(wake.queue())), woken);
        signal(lines.all(new WaitKey.AllQueues()), woken);
      }
      case Effect.WakeExtends wake -> signal(lines.all(new WaitKey.Lease(wake.lease())), woken);
      case Effect.WakeReaders wake -> signal(lines.all(new WaitKey.Row(wake.key())), woken);
    }
  }

  /** Signals pops over all queues of a namespace, of a task, or of both. */
  private void signalTagged(Effect.WakePops wake, List<Waiter> woken) {
    PopSource.Tagged tags = wake.tags();
    signalFirsts(new WaitKey.Tags(tags), wake, woken);
    signalFirsts(new WaitKey.Tags(new PopSource.Tagged(tags.namespace(), null)), wake, woken);
    signalFirsts(new WaitKey.Tags(new PopSource.Tagged(null, tags.task())), wake, woken);
  }

  private void signalFirsts(WaitKey key, Effect.WakePops wake, List<Waiter> woken) {
    signal(lines.firsts(key, wake), woken);
  }

  private void signal(List<Waiter> waiters, List<Waiter> woken) {
    waiters.forEach(this::signal);
    woken.addAll(waiters);
  }

  private static void wake(List<Waiter> woken) {
    woken.forEach(waiter -> waiter.wake.run());
  }

  /** Wakes all calls, so that they ask again. */
  void wakeEverybody() {
    List<Waiter> woken = new ArrayList<>();
    synchronized (this) {
      signal(lines.all(), woken);
    }
    wake(woken);
  }

  /** Ends all waits. */
  void close() {
    closed = true;
    wakeEverybody();
  }
}
