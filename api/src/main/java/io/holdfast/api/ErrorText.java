package io.holdfast.api;

/**
 * What an error says, without what differs from case to case: numbers, ids and long hexadecimal
 * words become {@code #}, and white space becomes one blank.
 *
 * <p>So "order 17 not found" and "order 18 not found" are the same error.
 */
public final class ErrorText {
  /** Characters of an error that count. */
  public static final int CHARS_MAX = 200;

  private static final int HEX_CHARS_MIN = 8;

  private ErrorText() {}

  public static String of(String error) {
    StringBuilder text = new StringBuilder(Math.min(error.length(), CHARS_MAX));
    int at = 0;
    while (at < error.length() && text.length() < CHARS_MAX) {
      char c = error.charAt(at);
      if (Character.isWhitespace(c)) {
        at++;
        if (!text.isEmpty() && text.charAt(text.length() - 1) != ' ') {
          text.append(' ');
        }
      } else if (isWordPart(c)) {
        int end = wordEnd(error, at);
        append(text, error, at, end);
        at = end;
      } else {
        text.append(c);
        at++;
      }
    }
    text.setLength(Math.min(text.length(), CHARS_MAX));
    return text.toString().strip();
  }

  private static boolean isWordPart(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '-';
  }

  private static int wordEnd(String error, int from) {
    int end = from;
    while (end < error.length() && isWordPart(error.charAt(end))) {
      end++;
    }
    return end;
  }

  /** A word: as it is, as one {@code #} if it is an id, or with its digits replaced. */
  private static void append(StringBuilder text, String error, int from, int to) {
    boolean digits = false;
    boolean hex = to - from >= HEX_CHARS_MIN;
    for (int i = from; i < to; i++) {
      char c = error.charAt(i);
      digits |= Character.isDigit(c);
      hex &= c == '-' || Character.digit(c, 16) >= 0;
    }
    if (!digits) {
      text.append(error, from, to);
      return;
    }
    if (hex) {
      text.append('#');
      return;
    }
    for (int i = from; i < to; i++) {
      char c = error.charAt(i);
      if (!Character.isDigit(c)) {
        text.append(c);
      } else if (text.isEmpty() || text.charAt(text.length() - 1) != '#') {
        text.append('#');
      }
    }
  }
}
