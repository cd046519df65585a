package io.holdfast.engine;

import io.holdfast.api.PopRequest;
import io.holdfast.api.PopSource;
import io.holdfast.api.TimeSource;
import io.holdfast.engine.command.Effect;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The calls that are parked until something happens: pops by queue and group, extends by lease,
 * readers by record.
 *
 * <p>A push wakes one pop of each group, not all; a pop that leaves something passes the wake-up
 * on, and so does one that was woken and did not look. So no wake-up is lost and few are wasted.
 *
 * <p>Thread: any.
 */
final class Waiters {
  /** What somebody waits for. */
  sealed interface Key {
    record Queue(String name) implements Key {}

    /** Any queue: pops by namespace or task. */
    record AnyQueue() implements Key {}

    record Lease(long id) implements Key {}

    record Row(String key) implements Key {}
  }

  /** One parked call. */
  final class Waiter implements AutoCloseable {
    private final Key key;
    private final @Nullable String group;
    private final @Nullable String partition;
    private final Thread thread = Thread.currentThread();
    private volatile boolean signalled;

    Waiter(Key key, @Nullable String group, @Nullable String partition) {
      this.key = key;
      this.group = group;
      this.partition = partition;
    }

    /** Forgets earlier signals: from here on every event counts. */
    void arm() {
      signalled = false;
    }

    /** Parks until a signal, a deadline, an interrupt, or the end. */
    void await(long deadlineNanos) {
      while (!signalled && !closed && !thread.isInterrupted()) {
        if (time.nanos() >= deadlineNanos) {
          return;
        }
        time.parkUntil(deadlineNanos);
      }
    }

    boolean isSignalled() {
      return signalled;
    }

    /** Others of the same kind may find work too. */
    void passOn() {
      signalOne(key, group, partition, this);
    }

    @Override
    public void close() {
      leave(this);
    }
  }

  private final int max;
  private final TimeSource time;
  private final Map<Key, LinkedHashSet<Waiter>> waiters = new HashMap<>();
  private volatile int count;
  private volatile boolean closed;

  Waiters(int max, TimeSource time) {
    this.max = max;
    this.time = time;
  }

  int count() {
    return count;
  }

  boolean isClosed() {
    return closed;
  }

  /** A place for a pop; null if too many wait already. */
  @Nullable Waiter enter(PopRequest request) {
    return switch (request.source()) {
      case PopSource.WholeQueue whole -> enter(new Key.Queue(whole.queue()), request.group(), null);
      case PopSource.OnePartition one ->
          enter(new Key.Queue(one.queue()), request.group(), one.partition());
      case PopSource.Tagged tagged -> enter(new Key.AnyQueue(), request.group(), null);
    };
  }

  @Nullable Waiter enter(Key key) {
    return enter(key, null, null);
  }

  private synchronized @Nullable Waiter enter(
      Key key, @Nullable String group, @Nullable String partition) {
    if (count >= max) {
      return null;
    }
    Waiter waiter = new Waiter(key, group, partition);
    waiters.computeIfAbsent(key, any -> new LinkedHashSet<>()).add(waiter);
    count++;
    return waiter;
  }

  private synchronized void leave(Waiter waiter) {
    LinkedHashSet<Waiter> same = waiters.get(waiter.key);
    if (same != null && same.remove(waiter)) {
      count--;
      if (same.isEmpty()) {
        waiters.remove(waiter.key);
      } else if (waiter.signalled && waiter.group != null) {
        waiter.passOn();
      }
    }
  }

  /** Wakes who should know of what happened. */
  void run(List<Effect> effects) {
    if (count == 0) {
      return;
    }
    for (Effect effect : effects) {
      switch (effect) {
        case Effect.WakePops wake -> {
          wakePops(new Key.Queue(wake.queue()), wake.partition());
          // Of those it is not known here which queues they take from.
          wakeAll(new Key.AnyQueue());
        }
        case Effect.WakeQueue wake -> {
          wakeAll(new Key.Queue(wake.queue()));
          wakeAll(new Key.AnyQueue());
        }
        case Effect.WakeEverybody wake -> wakeEverybody();
        case Effect.WakeExtends wake -> wakeAll(new Key.Lease(wake.lease()));
        case Effect.WakeReaders wake -> wakeAll(new Key.Row(wake.key()));
        case Effect.ReclaimSpace reclaim -> {}
      }
    }
  }

  /** Wakes one pop of each group that may take from a partition. */
  private synchronized void wakePops(Key key, @Nullable String partition) {
    LinkedHashSet<Waiter> same = waiters.get(key);
    if (same == null) {
      return;
    }
    Set<String> served = new HashSet<>();
    for (Waiter waiter : same) {
      boolean fits =
          partition == null || waiter.partition == null || waiter.partition.equals(partition);
      if (fits && waiter.group != null && !served.contains(waiter.group) && !waiter.signalled) {
        served.add(waiter.group);
        signal(waiter);
      }
    }
  }

  private synchronized void signalOne(
      Key key, @Nullable String group, @Nullable String partition, Waiter not) {
    LinkedHashSet<Waiter> same = waiters.get(key);
    Iterator<Waiter> each = same == null ? null : same.iterator();
    while (each != null && each.hasNext()) {
      Waiter waiter = each.next();
      boolean fits =
          partition == null || waiter.partition == null || waiter.partition.equals(partition);
      if (waiter != not && fits && !waiter.signalled && Objects.equals(waiter.group, group)) {
        signal(waiter);
        if (waiter.partition == null || partition != null) {
          return;
        }
      }
    }
  }

  private synchronized void wakeAll(Key key) {
    LinkedHashSet<Waiter> same = waiters.get(key);
    if (same != null) {
      same.forEach(Waiters::signal);
    }
  }

  private synchronized void wakeEverybody() {
    waiters.values().forEach(same -> same.forEach(Waiters::signal));
  }

  private static void signal(Waiter waiter) {
    waiter.signalled = true;
    LockSupport.unpark(waiter.thread);
  }

  /** Lets everybody go. */
  synchronized void close() {
    closed = true;
    wakeEverybody();
  }
}
