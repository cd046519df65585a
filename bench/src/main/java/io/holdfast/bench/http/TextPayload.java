package io.holdfast.bench.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.holdfast.bench.CheckFailedException;

/**
 * The 100-byte body of a message as JSON: a text of the number of its source, its own number there,
 * and filler that hardly compresses.
 */
final class TextPayload {
  static final int BYTES = 100;

  private static final int SOURCE_CHARS = 4;
  private static final int SEQ_AT = 1 + SOURCE_CHARS;
  private static final int SEQ_CHARS = 12;
  private static final int FILLER_AT = SEQ_AT + SEQ_CHARS;
  private static final byte[] LETTERS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".getBytes(ISO_8859_1);

  private TextPayload() {}

  static byte[] of(int source, long seq) {
    byte[] bytes = new byte[BYTES];
    bytes[0] = '"';
    digits(bytes, 1, SOURCE_CHARS, source);
    digits(bytes, SEQ_AT, SEQ_CHARS, seq);
    long random = (seq + 1) * 0x9E3779B97F4A7C15L ^ source;
    for (int i = FILLER_AT; i < BYTES - 1; i++) {
      random ^= random << 13;
      random ^= random >>> 7;
      random ^= random << 17;
      bytes[i] = LETTERS[(int) (random & 63)];
    }
    bytes[BYTES - 1] = '"';
    return bytes;
  }

  private static void digits(byte[] bytes, int at, int count, long value) {
    long left = value;
    for (int i = at + count - 1; i >= at; i--) {
      bytes[i] = (byte) ('0' + left % 10);
      left /= 10;
    }
  }

  /** Who numbered a message, from its text without the quotes. */
  static int source(String text) {
    if (text.length() != BYTES - 2) {
      throw new CheckFailedException("a message has a payload nobody pushed: " + text);
    }
    return Integer.parseInt(text, 0, SOURCE_CHARS, 10);
  }

  static long seq(String text) {
    return Long.parseLong(text, SOURCE_CHARS, SOURCE_CHARS + SEQ_CHARS, 10);
  }
}
