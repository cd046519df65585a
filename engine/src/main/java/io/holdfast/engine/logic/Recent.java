package io.holdfast.engine.logic;

import java.util.LinkedHashMap;
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
   * Forgets the oldest that are too many, and a bounded number of those that are over. What one
   * command has done is forgotten together: in which order it did that is not stored.
   *
   * @return the index up to which, exclusively, rows can be deleted; 0 if none can
   */
  long forget(long nowMs, int atMost) {
    long upTo = 0;
    int left = atMost;
    while (!entries.isEmpty() && (left > 0 || entries.size() > max)) {
      long index = entries.firstEntry().getValue().index;
      int count = 0;
      boolean over = true;
      for (Entry entry : entries.values()) {
        if (entry.index != index) {
          break;
        }
        count++;
        over &= entry.untilMs <= nowMs;
      }
      if (!over && entries.size() <= max) {
        break;
      }
      left -= count;
      for (; count > 0; count--) {
        entries.pollFirstEntry();
      }
      upTo = index + 1;
    }
    return upTo;
  }
}
