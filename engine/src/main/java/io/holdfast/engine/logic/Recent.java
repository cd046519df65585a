package io.holdfast.engine.logic;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was done lately, by a 64-bit key, oldest first: where its row is and until when it counts.
 *
 * <p>Invariant: entries are in the order of their log index, and there are never more than a
 * maximum.
 */
final class Recent {
  /** Where the row of something is, and until when it counts. */
  record Entry(long index, long untilMs) {}

  private final int max;
  private final LinkedHashMap<Long, Entry> entries = new LinkedHashMap<>();

  Recent(int max) {
    this.max = max;
  }

  void add(long key, long index, long untilMs) {
    entries.remove(key);
    entries.put(key, new Entry(index, untilMs));
  }

  @Nullable Entry get(long key, long nowMs) {
    Entry entry = entries.get(key);
    return entry == null || entry.untilMs <= nowMs ? null : entry;
  }

  int size() {
    return entries.size();
  }

  /**
   * Forgets the oldest that are too many, and a bounded number of those that are over.
   *
   * @return the index up to which, exclusively, rows can be deleted; 0 if none can
   */
  long forget(long nowMs, int atMost) {
    long upTo = 0;
    Iterator<Map.Entry<Long, Entry>> oldest = entries.entrySet().iterator();
    for (int left = atMost; oldest.hasNext() && (left > 0 || entries.size() > max); left--) {
      Entry entry = oldest.next().getValue();
      if (entry.untilMs > nowMs && entries.size() <= max) {
        break;
      }
      upTo = entry.index + 1;
      oldest.remove();
    }
    return upTo;
  }
}
