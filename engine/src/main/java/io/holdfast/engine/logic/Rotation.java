package io.holdfast.engine.logic;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of a group that have work, in the order in which pops take from them: the one
 * served longest ago first.
 *
 * <p>Invariant: what orders a subscription, and whether it is sticky, stays the same while it is in
 * here. To choose one takes as long whatever the number of those that are left to others.
 */
final class Rotation implements Iterable<Subscription> {
  private static final Comparator<Subscription> BY_AVAILABILITY =
      Comparator.<Subscription>comparingLong(s -> s.availableMs)
          .thenComparingLong(s -> s.partition.number);

  /** Those that no worker is preferred for. */
  private final TurnHeap free = new TurnHeap();

  /** The others; once more by the time at which they had work, and by worker. */
  private final TreeSet<Subscription> sticky = new TreeSet<>(TurnHeap.BY_TURN);

  private final TreeSet<Subscription> byAvailability = new TreeSet<>(BY_AVAILABILITY);
  private final Map<Integer, TreeSet<Subscription>> byWorker = new HashMap<>();

  void add(Subscription subscription) {
    if (!subscription.isSticky()) {
      free.add(subscription);
      return;
    }
    subscription.heapIndex = Subscription.NOT_IN_HEAP;
    sticky.add(subscription);
    byAvailability.add(subscription);
    byWorker
        .computeIfAbsent(subscription.worker, any -> new TreeSet<>(TurnHeap.BY_TURN))
        .add(subscription);
  }

  void remove(Subscription subscription) {
    if (subscription.heapIndex != Subscription.NOT_IN_HEAP) {
      free.remove(subscription);
      return;
    }
    sticky.remove(subscription);
    byAvailability.remove(subscription);
    byWorker.computeIfPresent(
        subscription.worker,
        (any, own) -> {
          own.remove(subscription);
          return own.isEmpty() ? null : own;
        });
  }

  boolean isEmpty() {
    return free.isEmpty() && sticky.isEmpty();
  }

  /** The subscription that a pop takes from next; null if there is none that it may take from. */
  @Nullable Subscription next(Affinity affinity) {
    if (!affinity.isSticky()) {
      return earlier(free.first(), first(sticky));
    }
    Subscription own = earlier(free.first(), first(byWorker.get(affinity.worker())));
    Subscription late = first(byAvailability);
    if (late == null || affinity.untilMs(late) > affinity.nowMs()) {
      return own;
    }
    return own == null || affinity.othersFirst() ? late : own;
  }

  /** The sticky subscription that had work first; null if there is none. */
  @Nullable Subscription longestAvailable() {
    return first(byAvailability);
  }

  private static @Nullable Subscription first(@Nullable SortedSet<Subscription> some) {
    return some == null || some.isEmpty() ? null : some.first();
  }

  private static @Nullable Subscription earlier(
      @Nullable Subscription one, @Nullable Subscription other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return TurnHeap.BY_TURN.compare(one, other) < 0 ? one : other;
  }

  @Override
  public Iterator<Subscription> iterator() {
    return Stream.concat(StreamSupport.stream(free.spliterator(), false), sticky.stream())
        .iterator();
  }
}
