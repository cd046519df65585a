package io.holdfast.cli.terminal;

import org.jspecify.annotations.Nullable;

/** The size of a screen. */
record Size(int rows, int columns) {
  /** What is taken for granted where nobody can tell. */
  static final Size USUAL = new Size(24, 80);

  /** The size that {@code stty size} prints; null if it is none. */
  static @Nullable Size parse(@Nullable String text) {
    if (text == null || !text.strip().matches("[0-9]{1,5} [0-9]{1,5}")) {
      return null;
    }
    String[] parts = text.strip().split(" ");
    Size size = new Size(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
    return size.rows() == 0 || size.columns() == 0 ? null : size;
  }
}
