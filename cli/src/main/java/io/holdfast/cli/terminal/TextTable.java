package io.holdfast.cli.terminal;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table with a heading; columns are as wide as their content.
 *
 * <p>Columns of numbers stand at the right. On a narrow screen the widest columns of text are cut.
 */
public final class TextTable {
  private static final String GAP = "  ";
  private static final int COLUMN_MIN = 8;

  private final String[] heading;
  private final List<@Nullable Object[]> rows = new ArrayList<>();

  public TextTable(String... heading) {
    this.heading = heading;
  }

  /** Adds a row; null is shown as a dash. */
  public TextTable row(@Nullable Object... cells) {
    rows.add(cells);
    return this;
  }

  /** A time to the second. */
  public static String time(long epochMs) {
    return epochMs == 0
        ? "-"
        : Instant.ofEpochMilli(epochMs).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** Formats a value; numbers with thousands separators. */
  static String text(@Nullable Object value) {
    // No switch over types: the JVM would take a tenth of a second to prepare the first one.
    if (value instanceof Long || value instanceof Integer) {
      return grouped(((Number) value).longValue());
    }
    if (value instanceof Styled styled) {
      return text(styled.text());
    }
    return value == null ? "-" : value.toString();
  }

  /** Formats a number with thousands separators. */
  public static String grouped(long number) {
    StringBuilder text = new StringBuilder().append(number);
    int first = number < 0 ? 1 : 0;
    for (int at = text.length() - 3; at > first; at -= 3) {
      text.insert(at, ',');
    }
    return text.toString();
  }

  private static boolean isNumber(@Nullable Object cell) {
    return cell instanceof Number
        || cell instanceof Measure
        || (cell instanceof Styled styled && isNumber(styled.text()));
  }

  private boolean isRight(int column) {
    boolean some = false;
    for (@Nullable Object[] row : rows) {
      if (row[column] != null) {
        if (!isNumber(row[column])) {
          return false;
        }
        some = true;
      }
    }
    return some;
  }

  /** The table for a screen of this width, without a final line break. */
  public String render(int columns, boolean colours) {
    String[][] safe = new String[rows.size()][heading.length];
    int[] widths = new int[heading.length];
    boolean[] right = new boolean[heading.length];
    for (int i = 0; i < heading.length; i++) {
      widths[i] = Printable.width(heading[i]);
      right[i] = isRight(i);
      for (int r = 0; r < safe.length; r++) {
        safe[r][i] = Printable.of(text(rows.get(r)[i]));
        widths[i] = Math.max(widths[i], Printable.width(safe[r][i]));
      }
    }
    fit(widths, right, columns);
    StringBuilder out = new StringBuilder();
    line(out, heading, null, widths, right, colours);
    for (int r = 0; r < safe.length; r++) {
      line(out.append('\n'), safe[r], rows.get(r), widths, right, colours);
    }
    return out.toString();
  }

  /** Narrows the widest text columns until the table fits. */
  private static void fit(int[] widths, boolean[] right, int columns) {
    long total = (long) GAP.length() * (widths.length - 1);
    for (int width : widths) {
      total += width;
    }
    while (total > columns) {
      int widest = -1;
      for (int i = 0; i < widths.length; i++) {
        if (!right[i] && widths[i] > COLUMN_MIN && (widest < 0 || widths[i] > widths[widest])) {
          widest = i;
        }
      }
      if (widest < 0) {
        return;
      }
      int next = COLUMN_MIN;
      for (int i = 0; i < widths.length; i++) {
        if (!right[i] && i != widest && widths[i] < widths[widest]) {
          next = Math.max(next, widths[i]);
        }
      }
      long cut = Math.min(total - columns, Math.max(1, widths[widest] - next));
      widths[widest] -= (int) cut;
      total -= cut;
    }
  }

  private static void line(
      StringBuilder out,
      String[] cells,
      @Nullable Object @Nullable [] values,
      int[] widths,
      boolean[] right,
      boolean colours) {
    for (int i = 0; i < cells.length; i++) {
      String cell = Printable.cut(cells[i], widths[i]);
      int missing = widths[i] - Printable.width(cell);
      if (right[i]) {
        out.repeat(' ', missing);
      }
      out.append(style(values, i).paint(cell, colours));
      if (i < cells.length - 1) {
        out.append(right[i] ? "" : " ".repeat(missing)).append(GAP);
      }
    }
    int end = out.length();
    while (end > 0 && out.charAt(end - 1) == ' ') {
      end--;
    }
    out.setLength(end);
  }

  private static Style style(@Nullable Object @Nullable [] values, int column) {
    if (values == null) {
      return Style.BOLD;
    }
    return values[column] instanceof Styled styled ? styled.style() : Style.PLAIN;
  }

  @Override
  public String toString() {
    return render(Integer.MAX_VALUE, false);
  }
}
