package io.holdfast.server.answers;

/**
 * Breaks JSON into lines so that differences can be read.
 *
 * <p>It only adds line breaks and spaces between tokens; the compact JSON that the server writes
 * has neither, so two texts are equal after this only if they were before.
 */
final class JsonLines {
  private static final int WIDTH = 100;

  private final String text;
  private final StringBuilder out = new StringBuilder();
  private int at;

  private JsonLines(String text) {
    this.text = text;
  }

  static String of(String text) {
    JsonLines lines = new JsonLines(text);
    while (lines.at < text.length()) {
      lines.value(0);
    }
    return lines.out.toString();
  }

  private void value(int depth) {
    char first = text.charAt(at);
    int end = first == '{' || first == '[' ? end() : -1;
    if (end < 0 || end - at + 2 * depth <= WIDTH) {
      int to = end < 0 ? scalarEnd() : end;
      out.append(text, at, to);
      at = to;
      return;
    }
    char close = first == '{' ? '}' : ']';
    out.append(first);
    at++;
    while (text.charAt(at) != close) {
      line(depth + 1);
      if (first == '{') {
        int colon = stringEnd(at) + 1;
        out.append(text, at, colon);
        at = colon;
      }
      value(depth + 1);
      if (text.charAt(at) == ',') {
        out.append(',');
        at++;
      }
    }
    line(depth);
    out.append(close);
    at++;
  }

  private void line(int depth) {
    out.append('\n').append("  ".repeat(depth));
  }

  /** The end of the object or array that begins here; negative if the text is not such JSON. */
  private int end() {
    int open = 0;
    for (int i = at; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        i = stringEnd(i) - 1;
      } else if (c == '{' || c == '[') {
        open++;
      } else if ((c == '}' || c == ']') && --open == 0) {
        return i + 1;
      }
    }
    return -1;
  }

  private int stringEnd(int from) {
    for (int i = from + 1; i < text.length(); i++) {
      if (text.charAt(i) == '\\') {
        i++;
      } else if (text.charAt(i) == '"') {
        return i + 1;
      }
    }
    return text.length();
  }

  private int scalarEnd() {
    if (text.charAt(at) == '"') {
      return stringEnd(at);
    }
    int to = at + 1;
    while (to < text.length() && ",}]".indexOf(text.charAt(to)) < 0) {
      to++;
    }
    return to;
  }
}
