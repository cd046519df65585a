package io.holdfast.engine.store;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows that can be read, ordered by their keys as unsigned bytes. */
public interface View {
  /** The value of a row, or null; the caller must not change it. */
  byte @Nullable [] get(byte[] key);

  /** The values of several rows, in the order of their keys, null for those that are not there. */
  default List<byte @Nullable []> getAll(List<byte[]> keys) {
    List<byte @Nullable []> values = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      values.add(get(key));
    }
    return values;
  }

  /** Rows from {@code from} (inclusive) to {@code to} (exclusive), in key order. */
  Rows scan(byte[] from, byte[] to);

  /** The same rows, last first. */
  Rows scanBack(byte[] from, byte[] to);
}
