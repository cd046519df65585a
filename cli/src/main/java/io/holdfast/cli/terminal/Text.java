package io.holdfast.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lines of text with styles and tables.
 *
 * <p>Control characters in the content are escaped; the only escape sequences in the output are
 * those of the styles. Thread: one.
 */
public final class Text {
  private static final int FIELD_CHARS = 12;

  /** A part that is laid out when the width of the screen is known. */
  private interface Part {
    void render(StringBuilder out, int columns, boolean colours);
  }

  private final List<Part> parts = new ArrayList<>();

  /** Lines without styles. */
  public static Text of(String lines) {
    Text text = new Text();
    lines.lines().forEach(text::line);
    return text;
  }

  /** Adds a line; its parts are texts, numbers or {@link Styled}. */
  public Text line(Object... words) {
    parts.add((out, columns, colours) -> out.append(join(words, colours)).append('\n'));
    return this;
  }

  /** Adds an empty line. */
  public Text blank() {
    return line();
  }

  /** Adds a line with a name and a value; nothing for null. */
  public Text field(String name, @Nullable Object value) {
    if (!(value instanceof String words)) {
      return value == null ? this : line(Style.DIM.of(padded(name)), value);
    }
    // Further lines are aligned with the first.
    String[] lines = words.split("\n", -1);
    line(Style.DIM.of(padded(name)), lines[0]);
    for (int i = 1; i < lines.length; i++) {
      more(lines[i]);
    }
    return this;
  }

  /** Adds a line that continues the value of a field. */
  public Text more(Object... words) {
    Object[] all = new Object[words.length + 1];
    all[0] = padded("");
    System.arraycopy(words, 0, all, 1, words.length);
    return line(all);
  }

  private static String padded(String name) {
    return name + " ".repeat(Math.max(0, FIELD_CHARS - name.length())) + ' ';
  }

  /** Adds a table. */
  public Text table(TextTable table) {
    parts.add(
        (out, columns, colours) -> {
          String rows = table.render(columns, colours);
          if (!rows.isEmpty()) {
            out.append(rows).append('\n');
          }
        });
    return this;
  }

  private static String join(Object[] words, boolean colours) {
    StringBuilder line = new StringBuilder();
    for (Object word : words) {
      if (word instanceof Styled styled) {
        line.append(styled.style().paint(Printable.of(styled.text().toString()), colours));
      } else {
        line.append(Printable.of(TextTable.text(word)));
      }
    }
    return line.toString();
  }

  /** The lines for a screen of this width, without a final line break. */
  public String render(int columns, boolean colours) {
    StringBuilder out = new StringBuilder();
    parts.forEach(part -> part.render(out, columns, colours));
    int length = out.length();
    while (length > 0 && out.charAt(length - 1) == '\n') {
      length--;
    }
    return out.substring(0, length);
  }

  @Override
  public String toString() {
    return render(Integer.MAX_VALUE, false);
  }
}
