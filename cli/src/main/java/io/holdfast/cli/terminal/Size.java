package io.holdfast.cli.terminal;

import org.jspecify.annotations.Nullable;

/** The size of a screen. */
record Size(int rows, int columns) {
  /** The size if it is unknown. */
  static final Size DEFAULT = new Size(24, 80);

  /** Reads the output of {@code stty size}; null if it is no size. */
  static @Nullable Size parse(@Nullable String text) {
    if (text == null || !text.strip().matches("[0-9]{1,5} [0-9]{1,5}")) {
      return null;
    }
    String[] parts = text.strip().split(" ");
    Size size = new Size(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
    return size.rows() == 0 || size.columns() == 0 ? null : size;
  }
}
