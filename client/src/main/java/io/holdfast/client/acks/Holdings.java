package io.holdfast.client.acks;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The messages that a subscription has received and not settled, with the time at which their
 * leases are over for sure.
 *
 * <p>Thread: any.
 */
final class Holdings {
  private final Map<Bookmark, Long> endNanos = new LinkedHashMap<>();

  /** Adds the messages of a lease that is over at a time, or before. */
  synchronized void add(Collection<Bookmark> bookmarks, long overNanos) {
    bookmarks.forEach(bookmark -> endNanos.put(bookmark, overNanos));
  }

  synchronized boolean contains(Bookmark bookmark) {
    return endNanos.containsKey(bookmark);
  }

  synchronized boolean remove(Bookmark bookmark) {
    return endNanos.remove(bookmark) != null;
  }

  synchronized int size() {
    return endNanos.size();
  }

  /** Takes out everything. */
  synchronized List<Bookmark> takeAll() {
    List<Bookmark> all = List.copyOf(endNanos.keySet());
    endNanos.clear();
    return all;
  }

  /** Forgets what leases that are over have held: the broker has it back. */
  synchronized void forgetOver(long nowNanos) {
    endNanos.values().removeIf(end -> end - nowNanos <= 0);
  }

  /** When the next lease is over; the given time if there is none. */
  synchronized long nextEnd(long otherwiseNanos) {
    return endNanos.values().stream().reduce((a, b) -> a - b < 0 ? a : b).orElse(otherwiseNanos);
  }
}
