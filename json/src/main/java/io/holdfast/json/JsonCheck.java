package io.holdfast.json;

/**
 * Tells whether bytes are exactly one JSON value in UTF-8, without space around it, so that they
 * can be spliced into an answer.
 *
 * <p>A message may have been pushed by a program in this process, which may put anything into it.
 */
public final class JsonCheck {
  private static final int DEPTH_MAX = JsonIn.DEPTH_MAX;

  private final byte[] bytes;
  private int at;

  private JsonCheck(byte[] bytes) {
    this.bytes = bytes;
  }

  public static boolean isOneValue(byte[] bytes) {
    JsonCheck check = new JsonCheck(bytes);
    return check.value(0) && check.at == bytes.length && Utf8.isValid(bytes);
  }

  private int peek() {
    return at < bytes.length ? bytes[at] : -1;
  }

  private boolean value(int depth) {
    return switch (peek()) {
      case '{' -> depth < DEPTH_MAX && object(depth + 1);
      case '[' -> depth < DEPTH_MAX && array(depth + 1);
      case '"' -> string();
      case 't' -> word("true");
      case 'f' -> word("false");
      case 'n' -> word("null");
      default -> number();
    };
  }

  private boolean object(int depth) {
    at++;
    space();
    if (peek() == '}') {
      at++;
      return true;
    }
    while (peek() == '"' && string()) {
      space();
      if (peek() != ':') {
        return false;
      }
      at++;
      space();
      if (!value(depth)) {
        return false;
      }
      space();
      int next = peek();
      at++;
      if (next == '}') {
        return true;
      }
      if (next != ',') {
        return false;
      }
      space();
    }
    return false;
  }

  private boolean array(int depth) {
    at++;
    space();
    if (peek() == ']') {
      at++;
      return true;
    }
    while (value(depth)) {
      space();
      int next = peek();
      at++;
      if (next == ']') {
        return true;
      }
      if (next != ',') {
        return false;
      }
      space();
    }
    return false;
  }

  private void space() {
    while (at < bytes.length
        && (bytes[at] == ' ' || bytes[at] == '\n' || bytes[at] == '\t' || bytes[at] == '\r')) {
      at++;
    }
  }

  private boolean string() {
    at++;
    while (at < bytes.length) {
      byte b = bytes[at++];
      if (b == '"') {
        return true;
      }
      if (b >= 0 && b < ' ') {
        return false;
      }
      if (b == '\\' && !escape()) {
        return false;
      }
    }
    return false;
  }

  private boolean escape() {
    int kind = peek();
    at++;
    if (kind == 'u') {
      for (int i = 0; i < 4; i++, at++) {
        if (Character.digit(peek(), 16) < 0) {
          return false;
        }
      }
      return true;
    }
    return kind >= 0 && "\"\\/bfnrt".indexOf(kind) >= 0;
  }

  private boolean word(String word) {
    for (int i = 0; i < word.length(); i++, at++) {
      if (peek() != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private boolean number() {
    if (peek() == '-') {
      at++;
    }
    if (peek() == '0') {
      at++;
    } else if (!digits()) {
      return false;
    }
    if (peek() == '.') {
      at++;
      if (!digits()) {
        return false;
      }
    }
    if (peek() == 'e' || peek() == 'E') {
      at++;
      if (peek() == '+' || peek() == '-') {
        at++;
      }
      return digits();
    }
    return true;
  }

  private boolean digits() {
    int from = at;
    while (peek() >= '0' && peek() <= '9') {
      at++;
    }
    return at > from;
  }
}
