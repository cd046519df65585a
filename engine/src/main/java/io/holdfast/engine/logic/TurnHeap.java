package io.holdfast.engine.logic;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * A binary heap of subscriptions: the one that was served longest ago is first.
 *
 * <p>A subscription stores its index in the heap, so that any of them is removed without a search,
 * and a place in the heap costs one reference: a queue may have hundreds of thousands. Iteration
 * starts with the first one; the others follow in no exact order.
 *
 * <p>Invariant: {@code heap.get(s.heapIndex) == s} for each subscription in here, and what orders
 * it stays the same while it is.
 */
final class TurnHeap implements Iterable<Subscription> {
  static final Comparator<Subscription> BY_TURN =
      Comparator.<Subscription>comparingLong(s -> s.lastServed)
          .thenComparingLong(s -> s.partition.number);

  private static final int ROOM_MIN = 16;

  private final ArrayList<Subscription> heap = new ArrayList<>();

  /** The most that were in here since unused room was last given back. */
  private int most;

  boolean isEmpty() {
    return heap.isEmpty();
  }

  @Nullable Subscription first() {
    return heap.isEmpty() ? null : heap.getFirst();
  }

  void add(Subscription added) {
    heap.add(added);
    most = Math.max(most, heap.size());
    rise(added, heap.size() - 1);
  }

  /** Removes a subscription that is in here. */
  void remove(Subscription removed) {
    int index = removed.heapIndex;
    if (index >= heap.size() || heap.get(index) != removed) {
      throw new IllegalStateException(
          removed.partition.title() + " is not in the rotation of group " + removed.group.name);
    }
    Subscription last = heap.removeLast();
    if (last != removed) {
      sink(last, index);
      if (heap.get(index) == last) {
        rise(last, index);
      }
    }
    if (most > ROOM_MIN && heap.size() < most / 4) {
      heap.trimToSize();
      most = heap.size();
    }
  }

  private void rise(Subscription subscription, int from) {
    int index = from;
    while (index > 0) {
      int parent = (index - 1) / 2;
      if (BY_TURN.compare(subscription, heap.get(parent)) >= 0) {
        break;
      }
      put(heap.get(parent), index);
      index = parent;
    }
    put(subscription, index);
  }

  private void sink(Subscription subscription, int from) {
    int index = from;
    int size = heap.size();
    while (index < size / 2) {
      int child = 2 * index + 1;
      if (child + 1 < size && BY_TURN.compare(heap.get(child + 1), heap.get(child)) < 0) {
        child++;
      }
      if (BY_TURN.compare(subscription, heap.get(child)) <= 0) {
        break;
      }
      put(heap.get(child), index);
      index = child;
    }
    put(subscription, index);
  }

  private void put(Subscription subscription, int index) {
    heap.set(index, subscription);
    subscription.heapIndex = index;
  }

  @Override
  public Iterator<Subscription> iterator() {
    return Collections.unmodifiableList(heap).iterator();
  }
}
