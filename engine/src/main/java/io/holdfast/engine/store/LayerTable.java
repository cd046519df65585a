package io.holdfast.engine.store;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one batch did to one table.
 *
 * <p>Most tables are only read row by row while a batch is applied, and a hash map is the cheapest
 * to fill for that; the sorted map is made when the first scan or range delete asks for it.
 *
 * <p>Invariant: a row in the map is newer than every deleted range around it; deleted ranges do not
 * touch each other.
 *
 * <p>Thread: the one that applies commands.
 */
final class LayerTable {
  /** In the place of the value of a deleted row; known by identity. */
  static final byte[] GONE = {};

  private final Map<Key, byte[]> rows = new HashMap<>();
  private @Nullable NavigableMap<Key, byte[]> sorted;
  private @Nullable NavigableMap<Key, Key> ranges;

  @SuppressWarnings("ReferenceEquality")
  static boolean isGone(byte[] value) {
    return value == GONE;
  }

  void put(Key key, byte[] value) {
    rows.put(key, value);
    if (sorted != null) {
      sorted.put(key, value);
    }
  }

  void deleteRange(Key from, Key to) {
    if (!rows.isEmpty()) {
      NavigableMap<Key, byte[]> inside = sorted().subMap(from, true, to, false);
      rows.keySet().removeAll(inside.keySet());
      inside.clear();
    }
    addRange(from, to);
  }

  private void addRange(Key from, Key to) {
    if (ranges == null) {
      ranges = new TreeMap<>();
    }
    Key start = from;
    Key end = to;
    Map.Entry<Key, Key> touched = ranges.floorEntry(end);
    while (touched != null && touched.getValue().compareTo(start) >= 0) {
      ranges.remove(touched.getKey());
      start = min(start, touched.getKey());
      end = max(end, touched.getValue());
      touched = ranges.floorEntry(end);
    }
    ranges.put(start, end);
  }

  private static Key min(Key a, Key b) {
    return a.compareTo(b) <= 0 ? a : b;
  }

  private static Key max(Key a, Key b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  /** The value of a row, {@link #GONE}, or null when this batch says nothing about it. */
  byte @Nullable [] get(Key key) {
    byte[] value = rows.get(key);
    return value == null && inDeletedRange(key) ? GONE : value;
  }

  boolean inDeletedRange(Key key) {
    if (ranges == null) {
      return false;
    }
    Map.Entry<Key, Key> range = ranges.floorEntry(key);
    return range != null && key.compareTo(range.getValue()) < 0;
  }

  NavigableMap<Key, byte[]> sorted() {
    if (sorted == null) {
      sorted = new TreeMap<>(rows);
    }
    return sorted;
  }
}
