package io.holdfast.cli.terminal;

/**
 * Escapes control characters in foreign text: a terminal obeys them, and anyone who can push a
 * message or name a queue can send them.
 *
 * <p>What a terminal would obey, hide or turn around is written out as an escape.
 */
public final class Printable {
  private static final int DELETE = 0x7f;
  private static final int C1_LAST = 0x9f;
  private static final int BYTE_MAX = 0xff;

  /** From and to, ascending. */
  private static final int[][] WIDE = {
    {0x1100, 0x115f},
    {0x2e80, 0xa4cf},
    {0xac00, 0xd7a3},
    {0xf900, 0xfaff},
    {0xfe30, 0xfe6f},
    {0xff00, 0xff60},
    {0xffe0, 0xffe6},
    {0x1f300, 0x1faff},
    {0x20000, 0x3fffd}
  };

  private Printable() {}

  /** A text on one line. */
  public static String of(String text) {
    int at = 0;
    while (at < text.length() && isHarmless(text.charAt(at))) {
      at++;
    }
    if (at == text.length()) {
      return text;
    }
    StringBuilder safe = new StringBuilder(text.length() + 16).append(text, 0, at);
    while (at < text.length()) {
      int c = text.codePointAt(at);
      if (mustBeEscaped(c)) {
        escape(safe, c);
      } else {
        safe.appendCodePoint(c);
      }
      at += Character.charCount(c);
    }
    return safe.toString();
  }

  private static boolean isHarmless(char c) {
    return c >= ' ' && c < DELETE;
  }

  /** Whether a terminal would obey, hide or turn around a character. */
  public static boolean mustBeEscaped(int c) {
    if (c < ' ' || (c >= DELETE && c <= C1_LAST)) {
      return true;
    }
    return switch (Character.getType(c)) {
      // FORMAT turns text around or hides it; an emoji's joiners are the price.
      case Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          true;
      default -> false;
    };
  }

  private static void escape(StringBuilder safe, int c) {
    switch (c) {
      case '\n' -> safe.append("\\n");
      case '\r' -> safe.append("\\r");
      case '\t' -> safe.append("\\t");
      default -> {
        String hex = Integer.toHexString(c);
        if (c > BYTE_MAX) {
          safe.append("\\u{").append(hex).append('}');
        } else {
          safe.append(hex.length() == 1 ? "\\x0" : "\\x").append(hex);
        }
      }
    }
  }

  /** The width of an escaped text in columns. */
  public static int width(String safe) {
    int columns = 0;
    for (int at = 0; at < safe.length(); ) {
      char c = safe.charAt(at);
      if (isHarmless(c)) {
        columns++;
        at++;
      } else {
        int whole = safe.codePointAt(at);
        columns += width(whole);
        at += Character.charCount(whole);
      }
    }
    return columns;
  }

  private static int width(int c) {
    int type = Character.getType(c);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
      return 0;
    }
    return isWide(c) ? 2 : 1;
  }

  /** Whether a character takes two columns: those of East Asia, and emoji. */
  private static boolean isWide(int c) {
    for (int[] range : WIDE) {
      if (c <= range[1]) {
        return c >= range[0];
      }
    }
    return false;
  }

  /** Shortens an escaped text to a number of columns, with an ellipsis. */
  public static String cut(String safe, int columns) {
    if (safe.length() <= columns / 2 || width(safe) <= columns) {
      return safe;
    }
    int used = 0;
    int at = 0;
    while (at < safe.length()) {
      int c = safe.codePointAt(at);
      int more = width(c);
      if (used + more > columns - 1) {
        break;
      }
      used += more;
      at += Character.charCount(c);
    }
    return safe.substring(0, at) + "…";
  }
}
