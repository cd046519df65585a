package io.holdfast.engine.store;

import org.jspecify.annotations.Nullable;

/** Rows that can be read, ordered by their keys as unsigned bytes. */
public interface View {
  /** The value of a row, or null; the caller must not change it. */
  byte @Nullable [] get(byte[] key);

  /** Rows from {@code from} (inclusive) to {@code to} (exclusive), in key order. */
  Rows scan(byte[] from, byte[] to);

  /** The same rows, last first. */
  Rows scanBack(byte[] from, byte[] to);
}
