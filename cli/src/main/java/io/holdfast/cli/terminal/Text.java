package io.holdfast.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lines for people.
 *
 * <p>Whatever is put in is made safe to show; the only sequences that a terminal obeys are those of
 * its own styles. Thread: one.
 */
public final class Text {
  private static final int FIELD_CHARS = 12;

  /** A part that is laid out only when it is known how wide the screen is. */
  private interface Part {
    void render(StringBuilder out, int columns, boolean colours);
  }

  private final List<Part> parts = new ArrayList<>();

  /** Lines as they are, without styles. */
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
    return value == null ? this : line(Style.DIM.of(padded(name)), value);
  }

  /** Adds a line that goes on beneath a value. */
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

  /** The lines for a screen of that width, without an end of line behind the last. */
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
