package io.holdfast.api.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that are being read; they may come from anybody.
 *
 * <p>Thread: one.
 */
final class WireIn {
  private static final int KNOWN_TEXTS_FIRST = 4;
  private static final char REPLACEMENT = '\uFFFD';

  private final byte[] data;
  private final boolean exact;
  private String[] known = {};
  private int knownTexts;
  private int at;
  private int end;

  WireIn(byte[] data) {
    this(data, 0, data.length, false);
  }

  WireIn(byte[] data, int from, int to) {
    this(data, from, to, false);
  }

  private WireIn(byte[] data, int from, int to, boolean exact) {
    this.data = data;
    this.exact = exact;
    this.at = from;
    this.end = to;
  }

  /** The same bytes for a reader that has to know every field. */
  static WireIn exact(byte[] data) {
    return new WireIn(data, 0, data.length, true);
  }

  boolean hasMore() {
    return at < end;
  }

  private int remaining() {
    return end - at;
  }

  private void need(long bytes, String what) {
    if (bytes > remaining()) {
      throw new WireException(
          "the body: expected "
              + bytes
              + " bytes of "
              + what
              + " at byte "
              + at
              + ", but it ends after "
              + remaining());
    }
  }

  int octet(String what) {
    need(1, what);
    return data[at++] & 0xFF;
  }

  long number() {
    long value = unsigned();
    return (value >>> 1) ^ -(value & 1);
  }

  long unsigned() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int octet = octet("a number");
      value |= (long) (octet & 0x7F) << shift;
      if (octet < 0x80) {
        return value;
      }
    }
    throw new WireException("the body: expected a number at byte " + at + ", but it is too long");
  }

  /** How many things follow; each takes a byte at least. */
  int count() {
    long count = unsigned();
    if (count < 0 || count > remaining()) {
      throw new WireException(
          "the body: expected a count before byte " + at + ", but fewer bytes follow");
    }
    return (int) count;
  }

  private int length(long told, String what) {
    if (told < 0) {
      throw new WireException("the body: expected a length before byte " + at);
    }
    need(told, what);
    return (int) told;
  }

  @Nullable String text() {
    long head = unsigned();
    if (head == 0) {
      return null;
    }
    long rest = head >>> 1;
    if ((head & 1) == 1) {
      if (rest >= knownTexts) {
        throw new WireException("the body: expected a text before byte " + at + " to be known");
      }
      return known[(int) rest];
    }
    int length = length(rest - 1, "text");
    String text = utf8(length);
    at += length;
    if (length <= WireOut.KNOWN_TEXT_BYTES_MAX && knownTexts < WireOut.KNOWN_TEXTS_MAX) {
      if (knownTexts == known.length) {
        known = Arrays.copyOf(known, Math.max(KNOWN_TEXTS_FIRST, 2 * knownTexts));
      }
      known[knownTexts++] = text;
    }
    return text;
  }

  private String utf8(int length) {
    String text = new String(data, at, length, UTF_8);
    // What is malformed becomes a replacement character, which may also have been meant.
    if (text.indexOf(REPLACEMENT) >= 0
        && !Arrays.equals(text.getBytes(UTF_8), Arrays.copyOfRange(data, at, at + length))) {
      throw new WireException("the body: expected UTF-8 at byte " + at);
    }
    return text;
  }

  byte @Nullable [] bytes() {
    long head = unsigned();
    if (head == 0) {
      return null;
    }
    int length = length(head - 1, "a value");
    byte[] bytes = Arrays.copyOfRange(data, at, at + length);
    at += length;
    return bytes;
  }

  @Nullable UUID id() {
    int head = octet("an id");
    if (head == 0) {
      return null;
    }
    if (head != 1) {
      throw new WireException("the body: expected an id before byte " + at);
    }
    need(16, "an id");
    return new UUID(fixed(), fixed());
  }

  private long fixed() {
    long value = 0;
    for (int i = 0; i < 8; i++) {
      value = (value << 8) | (data[at++] & 0xFF);
    }
    return value;
  }

  /** Goes into what is preceded by its length; the answer is for {@link #leave}, -1 for null. */
  int enter() {
    long told = unsigned();
    if (told == 0) {
      return -1;
    }
    int outer = end;
    end = at + length(told - 1, "fields");
    return outer;
  }

  /** Goes past what is left there: fields that a newer peer wrote. */
  void leave(int outer, Codec<?> entered) {
    if (exact && at < end) {
      throw new WireException(
          "the body: unknown fields of " + entered.name() + " at byte " + at + " to " + end);
    }
    at = end;
    end = outer;
  }
}
