package io.holdfast.server.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * What the head of a request says of the bytes behind it, header by header.
 *
 * <p>A head that could be understood in two ways is refused.
 *
 * <p>Thread: the one that reads the connection.
 */
final class Head {
  private static final int LENGTH_DIGITS_MAX = 15;
  private static final long NONE = -1;

  /** The characters that names of headers are made of, besides letters and digits. */
  private static final String MARKS = "!#$%&'*+-.^_`|~";

  private static final boolean[] IN_NAME = new boolean[128];

  static {
    for (char c = 0; c < IN_NAME.length; c++) {
      IN_NAME[c] =
          (c >= '0' && c <= '9')
              || (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || MARKS.indexOf(c) >= 0;
    }
  }

  private final int headersMax;
  private int headers;
  private long length = NONE;
  private boolean chunked;
  private boolean host;

  Head(int headersMax) {
    this.headersMax = headersMax;
  }

  /** How many bytes follow; 0 if it does not say. */
  long length() {
    return Math.max(0, length);
  }

  boolean isChunked() {
    return chunked;
  }

  void clear() {
    headers = 0;
    length = NONE;
    chunked = false;
    host = false;
  }

  /** Expects the first line to ask for a path, and not for another server's. */
  static void expectPath(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && bytes[at] != ' ') {
      at++;
    }
    if (at + 1 >= to || bytes[at + 1] != '/') {
      throw refused("a method, a path that begins with /, and HTTP/1.1");
    }
    for (; at < to; at++) {
      if (bytes[at] < 0) {
        throw refused("a path of ASCII characters, others percent-encoded");
      }
    }
  }

  /** Reads a header. */
  void header(byte[] bytes, int from, int to) {
    if (++headers > headersMax) {
      throw tooLarge("at most " + headersMax);
    }
    int colon = from;
    while (colon < to && bytes[colon] >= 0 && IN_NAME[bytes[colon]]) {
      colon++;
    }
    if (colon == from || colon == to || bytes[colon] != ':') {
      throw refused("headers of a name, a colon and a value, each in one line");
    }
    switch (colon - from) {
      case 4 -> {
        if (is("host", bytes, from)) {
          host();
        }
      }
      case 14 -> {
        if (is("content-length", bytes, from)) {
          length(value(bytes, colon, to));
        }
      }
      case 16 -> {
        if (is("content-encoding", bytes, from)) {
          encoding(value(bytes, colon, to));
        }
      }
      case 17 -> {
        if (is("transfer-encoding", bytes, from)) {
          coding(value(bytes, colon, to));
        }
      }
      default -> {}
    }
  }

  private static boolean is(String name, byte[] bytes, int from) {
    for (int i = 0; i < name.length(); i++) {
      // Of the characters in names only capitals become these letters, and the hyphen stays.
      if ((bytes[from + i] | 0x20) != name.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private static String value(byte[] bytes, int colon, int to) {
    return new String(bytes, colon + 1, to - colon - 1, ISO_8859_1).strip();
  }

  private void host() {
    if (host) {
      throw refused("one Host");
    }
    host = true;
  }

  private void length(String value) {
    boolean digits = !value.isEmpty() && value.length() <= LENGTH_DIGITS_MAX;
    for (int i = 0; i < value.length(); i++) {
      digits &= value.charAt(i) >= '0' && value.charAt(i) <= '9';
    }
    if (length != NONE || chunked || !digits) {
      throw refused("one Content-Length of digits, or chunks");
    }
    length = Long.parseLong(value);
  }

  private void coding(String value) {
    if (chunked || length != NONE || !value.equalsIgnoreCase("chunked")) {
      throw refused("one Content-Length, or chunks and no other coding");
    }
    chunked = true;
  }

  private static void encoding(String value) {
    if (!value.equalsIgnoreCase(AsItIs.NAME)) {
      throw Problem.of(
          415,
          "WRONG_TYPE",
          "the Content-Encoding: expected none, because bodies come as they are");
    }
  }

  static Problem refused(String expected) {
    return Problem.of(400, "BAD_REQUEST", "the request: expected " + expected);
  }

  static Problem tooLarge(String expected) {
    return Problem.of(431, "TOO_LARGE", "the headers: expected " + expected + ", but got more");
  }
}
