package io.holdfast.client.acks;

import io.holdfast.api.lease.Settle.Outcome;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages that a subscription has received and not settled, with the time at which their
 * leases are over for sure.
 *
 * <p>Thread: any.
 */
final class Holdings {
  /** A message: until when it is held at most, and what was tried to settle it with. */
  private static final class Held {
    private final long overNanos;
    private @Nullable Outcome tried;
    private boolean mixed;

    private Held(long overNanos) {
      this.overNanos = overNanos;
    }
  }

  private final Map<Bookmark, Held> all = new LinkedHashMap<>();

  /** Adds the messages of a lease that is over at a time, or before. */
  synchronized void add(Collection<Bookmark> bookmarks, long overNanos) {
    bookmarks.forEach(bookmark -> all.put(bookmark, new Held(overNanos)));
  }

  synchronized boolean contains(Bookmark bookmark) {
    return all.containsKey(bookmark);
  }

  /** Says that a message, if it is held, is about to be settled. */
  synchronized void trying(Bookmark bookmark, Outcome outcome) {
    Held held = all.get(bookmark);
    if (held != null) {
      held.mixed |= held.tried != null && held.tried != outcome;
      held.tried = outcome;
    }
  }

  /** Whether a message is held, and nothing else was tried to settle it with. */
  synchronized boolean isOnlyTried(Bookmark bookmark, Outcome outcome) {
    Held held = all.get(bookmark);
    return held != null && held.tried == outcome && !held.mixed;
  }

  synchronized boolean remove(Bookmark bookmark) {
    return all.remove(bookmark) != null;
  }

  synchronized int size() {
    return all.size();
  }

  /** Takes out everything. */
  synchronized List<Bookmark> takeAll() {
    List<Bookmark> taken = List.copyOf(all.keySet());
    all.clear();
    return taken;
  }

  /** Forgets what leases that are over have held: the broker has it back. */
  synchronized void forgetOver(long nowNanos) {
    all.values().removeIf(held -> held.overNanos - nowNanos <= 0);
  }

  /** When the next lease is over; the given time if there is none. */
  synchronized long nextEnd(long otherwiseNanos) {
    return all.values().stream()
        .map(held -> held.overNanos)
        .reduce((a, b) -> a - b < 0 ? a : b)
        .orElse(otherwiseNanos);
  }
}
