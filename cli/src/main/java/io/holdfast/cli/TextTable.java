package io.holdfast.cli;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A table for people: a heading and rows, each column as wide as it has to be. */
final class TextTable {
  private static final String GAP = "  ";

  private final List<String[]> rows = new ArrayList<>();

  TextTable(String... heading) {
    rows.add(heading);
  }

  /** Adds a row; what is null is shown as a dash. */
  TextTable row(@Nullable Object... cells) {
    rows.add(
        Arrays.stream(cells)
            .map(cell -> cell == null ? "-" : cell.toString())
            .toArray(String[]::new));
    return this;
  }

  /** A time to the second. */
  static String time(long epochMs) {
    return epochMs == 0
        ? "-"
        : Instant.ofEpochMilli(epochMs).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  @Override
  public String toString() {
    int columns = rows.getFirst().length;
    int[] widths = new int[columns];
    for (String[] row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        line.append(row[i]).repeat(' ', widths[i] - row[i].length()).append(GAP);
      }
      text.append(line.toString().stripTrailing()).append(System.lineSeparator());
    }
    return text.toString().stripTrailing();
  }
}
