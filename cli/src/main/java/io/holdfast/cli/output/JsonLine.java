package io.holdfast.cli.output;

import io.holdfast.cli.terminal.Printable;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Formats JSON on one line, with control characters escaped.
 *
 * <p>JSON strings may contain raw control characters above 127 and characters that change the
 * direction of text; a terminal would obey them.
 */
public final class JsonLine {
  private JsonLine() {}

  public static String of(byte[] json) {
    String text = new String(json, StandardCharsets.UTF_8);
    StringBuilder line = new StringBuilder(text.length());
    boolean quoted = false;
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '\\') {
        line.append(c).append(text.charAt(++at));
      } else if (c == '"') {
        quoted = !quoted;
        line.append(c);
      } else if (quoted) {
        at += append(line, text.codePointAt(at)) - 1;
      } else if (!Character.isWhitespace(c)) {
        line.append(c);
      }
    }
    return line.toString();
  }

  private static int append(StringBuilder line, int c) {
    if (!Printable.mustBeEscaped(c)) {
      line.appendCodePoint(c);
    } else {
      for (char unit : Character.toChars(c)) {
        line.append("\\u").append(String.format(Locale.ROOT, "%04x", (int) unit));
      }
    }
    return Character.charCount(c);
  }
}
