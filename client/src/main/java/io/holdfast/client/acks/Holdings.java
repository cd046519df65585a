package io.holdfast.client.acks;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The messages that a subscription has received and not settled, with the time at which their
 * leases are over for sure.
 *
 * <p>Thread: any.
 */
final class Holdings {
  private final Map<Bookmark, Long> endNanos = new LinkedHashMap<>();
  private final Set<Bookmark> otherwise = new HashSet<>();

  /** Adds the messages of a lease that is over at a time, or before. */
  synchronized void add(Collection<Bookmark> bookmarks, long overNanos) {
    bookmarks.forEach(bookmark -> endNanos.put(bookmark, overNanos));
  }

  synchronized boolean contains(Bookmark bookmark) {
    return endNanos.containsKey(bookmark);
  }

  /** Says that a message is about to be settled by something else than an ack. */
  synchronized void settleOtherwise(Bookmark bookmark) {
    if (endNanos.containsKey(bookmark)) {
      otherwise.add(bookmark);
    }
  }

  /** Whether a message is held, and nothing but an ack was sent for it. */
  synchronized boolean isAtMostAcked(Bookmark bookmark) {
    return endNanos.containsKey(bookmark) && !otherwise.contains(bookmark);
  }

  synchronized boolean remove(Bookmark bookmark) {
    otherwise.remove(bookmark);
    return endNanos.remove(bookmark) != null;
  }

  synchronized int size() {
    return endNanos.size();
  }

  /** Takes out everything. */
  synchronized List<Bookmark> takeAll() {
    List<Bookmark> all = List.copyOf(endNanos.keySet());
    endNanos.clear();
    otherwise.clear();
    return all;
  }

  /** Forgets what leases that are over have held: the broker has it back. */
  synchronized void forgetOver(long nowNanos) {
    endNanos.values().removeIf(end -> end - nowNanos <= 0);
    otherwise.retainAll(endNanos.keySet());
  }

  /** When the next lease is over; the given time if there is none. */
  synchronized long nextEnd(long otherwiseNanos) {
    return endNanos.values().stream().reduce((a, b) -> a - b < 0 ? a : b).orElse(otherwiseNanos);
  }
}
