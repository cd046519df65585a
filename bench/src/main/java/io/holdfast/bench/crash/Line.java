package io.holdfast.bench.crash;

import java.util.Optional;

/**
 * One line from the child to its parent.
 *
 * @param worker which worker wrote it
 * @param body a {@link Step} before it is tried; what was answered to it, as words, after; or what
 *     was wrong with the answer
 */
record Line(int worker, Kind kind, String body) {
  /** What a line says. */
  enum Kind {
    TRY,
    DONE,
    WRONG,
    READY
  }

  /** Ends every line, so that one the kill cut off is not taken for a whole one. */
  private static final String END = " .";

  String text() {
    return worker + " " + kind + " " + body + END;
  }

  /** The line, or nothing if it is not whole. */
  static Optional<Line> parse(String text) {
    String[] parts = text.split(" ", 3);
    if (parts.length < 3 || !text.endsWith(END)) {
      return Optional.empty();
    }
    String body = parts[2].substring(0, Math.max(0, parts[2].length() - END.length()));
    return Optional.of(new Line(Integer.parseInt(parts[0]), Kind.valueOf(parts[1]), body));
  }
}
