package io.holdfast.engine;

import io.holdfast.api.PopRequest;
import io.holdfast.api.PopSource;
import io.holdfast.api.TimeSource;
import io.holdfast.engine.command.Effect;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The calls that are parked until something happens: pops by queue and group, extends by lease,
 * readers by record.
 *
 * <p>A push wakes one pop of each group and kind, not all; a pop that leaves something passes the
 * wake-up on, and so does one that was woken and did not look. So no wake-up is lost and few are
 * wasted.
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

  /**
   * Pops of one kind find the same work in the same partitions, so that waking one is enough.
   *
   * @param tags what queues it looks at, if it is not one; null for a queue's pops
   * @param lease the lease that new messages join, which another's lock does not keep out
   */
  record Kind(String group, PopSource.@Nullable Tagged tags, @Nullable String lease) {}

  /** One parked call. */
  final class Waiter implements AutoCloseable {
    private final Key key;
    private final @Nullable Kind kind;
    private final @Nullable String partition;
    private final Thread thread = Thread.currentThread();
    private volatile boolean signalled;

    Waiter(Key key, @Nullable Kind kind, @Nullable String partition) {
      this.key = key;
      this.kind = kind;
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

    /** Others of the same group may find work too. */
    void passOn() {
      pass(this);
    }

    /** Leaves; a signal that came after the last look is passed on. */
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
    String group = request.group();
    String lease = request.joinLease();
    return switch (request.source()) {
      case PopSource.WholeQueue whole ->
          enter(new Key.Queue(whole.queue()), new Kind(group, null, lease), null);
      case PopSource.OnePartition one ->
          enter(new Key.Queue(one.queue()), new Kind(group, null, lease), one.partition());
      case PopSource.Tagged tagged ->
          enter(new Key.AnyQueue(), new Kind(group, tagged, lease), null);
    };
  }

  @Nullable Waiter enter(Key key) {
    return enter(key, null, null);
  }

  private synchronized @Nullable Waiter enter(
      Key key, @Nullable Kind kind, @Nullable String partition) {
    if (count >= max) {
      return null;
    }
    Waiter waiter = new Waiter(key, kind, partition);
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
      }
    }
    if (waiter.signalled) {
      pass(waiter);
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
          wakePops(new Key.AnyQueue(), null);
        }
        case Effect.WakeQueue wake -> {
          wakeAll(new Key.Queue(wake.queue()));
          wakeAll(new Key.AnyQueue());
        }
        case Effect.WakeExtends wake -> wakeAll(new Key.Lease(wake.lease()));
        case Effect.WakeReaders wake -> wakeAll(new Key.Row(wake.key()));
        case Effect.SealQueue seal -> {}
        case Effect.ReclaimSpace reclaim -> {}
      }
    }
  }

  /** Wakes one pop of each kind that may take from a partition. */
  private synchronized void wakePops(Key key, @Nullable String partition) {
    LinkedHashSet<Waiter> same = waiters.get(key);
    if (same == null) {
      return;
    }
    Set<Kind> served = new HashSet<>();
    for (Waiter waiter : same) {
      if (waiter.kind != null
          && !waiter.signalled
          && fits(waiter, partition)
          && served.add(waiter.kind)) {
        signal(waiter);
      }
    }
  }

  private static boolean fits(Waiter waiter, @Nullable String partition) {
    return partition == null || waiter.partition == null || waiter.partition.equals(partition);
  }

  /** Wakes one pop of each kind of a pop's group, other than itself. */
  private synchronized void pass(Waiter from) {
    LinkedHashSet<Waiter> same = waiters.get(from.key);
    if (same == null || from.kind == null) {
      return;
    }
    Set<Kind> served = new HashSet<>();
    for (Waiter waiter : same) {
      if (waiter != from
          && waiter.kind != null
          && waiter.kind.group().equals(from.kind.group())
          && !waiter.signalled
          && fits(waiter, from.partition)
          && !served.contains(waiter.kind)) {
        signal(waiter);
        // One that waits for one partition may not find what is in another.
        if (waiter.partition == null || from.partition != null) {
          served.add(waiter.kind);
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

  private static void signal(Waiter waiter) {
    waiter.signalled = true;
    LockSupport.unpark(waiter.thread);
  }

  /** Lets everybody look again. */
  synchronized void wakeEverybody() {
    waiters.values().forEach(same -> same.forEach(Waiters::signal));
  }

  /** Lets everybody go. */
  void close() {
    closed = true;
    wakeEverybody();
  }
}
