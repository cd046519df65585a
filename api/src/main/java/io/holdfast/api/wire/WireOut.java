package io.holdfast.api.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that are being written.
 *
 * <p>Thread: one.
 */
final class WireOut {
  /** Most texts that are told once and then by their number. */
  static final int KNOWN_TEXTS_MAX = 256;

  /** Longest text that gets a number, in bytes. */
  static final int KNOWN_TEXT_BYTES_MAX = 64;

  private static final int CAPACITY = 256;

  private final Map<String, Integer> known = new HashMap<>(8);
  private byte[] buffer = new byte[CAPACITY];
  private int size;

  byte[] done() {
    return Arrays.copyOf(buffer, size);
  }

  private void room(int bytes) {
    if (bytes > buffer.length - size) {
      buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, Math.addExact(size, bytes)));
    }
  }

  /** Leaves bytes that are set when all is written. */
  void skip(int bytes) {
    room(bytes);
    size += bytes;
  }

  void octet(int value) {
    room(1);
    buffer[size++] = (byte) value;
  }

  /** A number of either sign: small ones are short. */
  void number(long value) {
    unsigned((value << 1) ^ (value >> 63));
  }

  /** Seven bits a byte, the lowest first; the top bit says that more follow. */
  void unsigned(long value) {
    room(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      buffer[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    buffer[size++] = (byte) rest;
  }

  /** A text, or the number of one that was told before. */
  void text(@Nullable String text) {
    if (text == null) {
      octet(0);
      return;
    }
    Integer number = known.get(text);
    if (number != null) {
      unsigned(((long) number << 1) | 1);
      return;
    }
    byte[] bytes = text.getBytes(UTF_8);
    unsigned(((long) bytes.length + 1) << 1);
    raw(bytes);
    if (bytes.length <= KNOWN_TEXT_BYTES_MAX && known.size() < KNOWN_TEXTS_MAX) {
      known.put(text, known.size());
    }
  }

  void bytes(byte @Nullable [] bytes) {
    if (bytes == null) {
      octet(0);
      return;
    }
    unsigned((long) bytes.length + 1);
    raw(bytes);
  }

  private void raw(byte[] bytes) {
    room(bytes.length);
    System.arraycopy(bytes, 0, buffer, size, bytes.length);
    size += bytes.length;
  }

  void id(@Nullable UUID id) {
    if (id == null) {
      octet(0);
      return;
    }
    room(17);
    buffer[size++] = 1;
    fixed(id.getMostSignificantBits());
    fixed(id.getLeastSignificantBits());
  }

  private void fixed(long value) {
    for (int shift = 56; shift >= 0; shift -= 8) {
      buffer[size++] = (byte) (value >>> shift);
    }
  }

  /** Begins what is preceded by its length; the answer is for {@link #end}. */
  int begin() {
    octet(0);
    return size;
  }

  /** Ends it: now its length is known. Zero would be null, so one is added. */
  void end(int begun) {
    long told = (long) size - begun + 1;
    int more = 0;
    for (long rest = told >>> 7; rest != 0; rest >>>= 7) {
      more++;
    }
    if (more > 0) {
      room(more);
      System.arraycopy(buffer, begun, buffer, begun + more, size - begun);
    }
    int end = size + more;
    size = begun - 1;
    unsigned(told);
    size = end;
  }
}
