package io.holdfast.engine.store;

import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one batch, kept until the store below has them.
 *
 * <p>Thread: the one that applies commands; {@link #written} is set by the one that writes.
 */
final class Layer {
  private final @Nullable LayerTable[] tables = new @Nullable LayerTable[Tables.END];
  private int changes;
  private volatile boolean written;

  void put(Key key, byte[] value) {
    changes++;
    made(tag(key)).put(key, value);
  }

  void delete(Key key) {
    put(key, LayerTable.GONE);
  }

  void deleteRange(Key from, Key to) {
    changes++;
    int last = lastTag(to);
    for (int tag = tag(from); tag <= last; tag++) {
      made(tag).deleteRange(from, to);
    }
  }

  void clear() {
    changes++;
    Arrays.fill(tables, null);
  }

  byte @Nullable [] get(Key key) {
    LayerTable table = tables[tag(key)];
    return table == null ? null : table.get(key);
  }

  boolean inDeletedRange(Key key) {
    LayerTable table = tables[tag(key)];
    return table != null && table.inDeletedRange(key);
  }

  /**
   * The first row at or after a key (only after it unless {@code inclusive}), before {@code to}.
   */
  Map.@Nullable Entry<Key, byte[]> following(Key key, boolean inclusive, Key to) {
    int last = lastTag(to);
    for (int tag = tag(key); tag <= last; tag++) {
      LayerTable table = tables[tag];
      if (table != null) {
        Map.Entry<Key, byte[]> row =
            inclusive ? table.sorted().ceilingEntry(key) : table.sorted().higherEntry(key);
        if (row != null) {
          return row.getKey().compareTo(to) < 0 ? row : null;
        }
      }
    }
    return null;
  }

  /** The last row before a key, at or after {@code from}. */
  Map.@Nullable Entry<Key, byte[]> preceding(Key key, Key from) {
    int first = tag(from);
    for (int tag = lastTag(key); tag >= first; tag--) {
      LayerTable table = tables[tag];
      if (table != null) {
        Map.Entry<Key, byte[]> row = table.sorted().lowerEntry(key);
        if (row != null) {
          return row.getKey().compareTo(from) >= 0 ? row : null;
        }
      }
    }
    return null;
  }

  /** Grows with every write, so that a scan knows when to look again. */
  int changes() {
    return changes;
  }

  /** Whether the store below has all of these rows. */
  boolean written() {
    return written;
  }

  void markWritten() {
    written = true;
  }

  private LayerTable made(int tag) {
    LayerTable table = tables[tag];
    if (table == null) {
      table = new LayerTable();
      tables[tag] = table;
    }
    return table;
  }

  private static int tag(Key key) {
    byte[] bytes = key.bytes();
    if (bytes.length == 0 || bytes[0] < 0 || bytes[0] >= Tables.END) {
      throw new IllegalArgumentException("no table has the key " + key);
    }
    return bytes[0];
  }

  /** The table of the last keys before a key. */
  private static int lastTag(Key to) {
    byte[] bytes = to.bytes();
    if (bytes.length == 1) {
      return Math.min(bytes[0] & 0xff, Tables.END) - 1;
    }
    return tag(to);
  }
}
