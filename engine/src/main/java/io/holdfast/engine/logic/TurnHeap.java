package io.holdfast.engine.logic;

import java.util.Arrays;
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
 * <p>Invariant: {@code heap[s.heapIndex] == s} for each subscription in here, and what orders it
 * stays the same while it is.
 */
final class TurnHeap implements Iterable<Subscription> {
  static final Comparator<Subscription> BY_TURN =
      Comparator.<Subscription>comparingLong(s -> s.lastServed)
          .thenComparingLong(s -> s.partition.number);

  private static final int CAPACITY_MIN = 16;

  private Subscription[] heap = new Subscription[CAPACITY_MIN];
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  @Nullable Subscription first() {
    return size == 0 ? null : heap[0];
  }

  void add(Subscription added) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, size * 2);
    }
    rise(added, size++);
  }

  /** Removes a subscription that is in here. */
  void remove(Subscription removed) {
    int index = removed.heapIndex;
    if (index >= size || heap[index] != removed) {
      throw new IllegalStateException(
          removed.partition.title() + " is not in the rotation of group " + removed.group.name);
    }
    Subscription last = heap[--size];
    heap[size] = null;
    if (last != removed) {
      sink(last, index);
      if (heap[index] == last) {
        rise(last, index);
      }
    }
    if (heap.length > CAPACITY_MIN && size < heap.length / 4) {
      heap = Arrays.copyOf(heap, heap.length / 2);
    }
  }

  private void rise(Subscription subscription, int from) {
    int index = from;
    while (index > 0) {
      int parent = (index - 1) / 2;
      if (BY_TURN.compare(subscription, heap[parent]) >= 0) {
        break;
      }
      put(heap[parent], index);
      index = parent;
    }
    put(subscription, index);
  }

  private void sink(Subscription subscription, int from) {
    int index = from;
    while (index < size / 2) {
      int child = 2 * index + 1;
      if (child + 1 < size && BY_TURN.compare(heap[child + 1], heap[child]) < 0) {
        child++;
      }
      if (BY_TURN.compare(subscription, heap[child]) <= 0) {
        break;
      }
      put(heap[child], index);
      index = child;
    }
    put(subscription, index);
  }

  private void put(Subscription subscription, int index) {
    heap[index] = subscription;
    subscription.heapIndex = index;
  }

  @Override
  public Iterator<Subscription> iterator() {
    return Arrays.asList(heap).subList(0, size).iterator();
  }
}
