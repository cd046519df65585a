package io.holdfast.engine.command;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A walk over bytes that a {@link ByteWriter} put together. It never reads beyond their end, and
 * makes no room for more than they can hold.
 */
public final class ByteReader {
  private static final char REPLACEMENT = '\uFFFD';

  private final byte[] bytes;
  private final int end;
  private int at;

  public ByteReader(byte[] bytes) {
    this(bytes, 0);
  }

  public ByteReader(byte[] bytes, int from) {
    this(bytes, from, bytes.length);
  }

  private ByteReader(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.at = from;
    this.end = end;
  }

  public int at() {
    return at;
  }

  public boolean atEnd() {
    return at >= end;
  }

  private void need(int count) {
    if (count < 0 || count > end - at) {
      throw new IllegalArgumentException(
          "expected " + count + " bytes at byte " + at + ", but they end at byte " + end);
    }
  }

  public ByteReader skip(int count) {
    need(count);
    at += count;
    return this;
  }

  /** A reader of the next bytes alone; this one continues behind them. */
  public ByteReader part(int length) {
    need(length);
    at += length;
    return new ByteReader(bytes, at - length, at);
  }

  public int byte1() {
    need(1);
    return bytes[at++];
  }

  public boolean flag() {
    return byte1() != 0;
  }

  public long fixed(int width) {
    need(width);
    long value = Fixed.get(bytes, at, width);
    at += width;
    return value;
  }

  public long long8() {
    return fixed(8);
  }

  public long varint() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = byte1();
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("expected the end of a number before byte " + at);
  }

  public int count() {
    return (int) varint();
  }

  /** How many elements follow, each of which takes a byte at least. */
  public int elements() {
    long count = varint();
    if (count < 0 || count > end - at) {
      throw new IllegalArgumentException(
          "expected " + count + " elements at byte " + at + ", but the bytes end at byte " + end);
    }
    return (int) count;
  }

  public byte[] raw(int length) {
    need(length);
    byte[] value = Arrays.copyOfRange(bytes, at, at + length);
    at += length;
    return value;
  }

  public byte[] rest() {
    return raw(end - at);
  }

  public byte[] bytes() {
    return raw(elements());
  }

  public String text() {
    int length = elements();
    String value = new String(bytes, at, length, StandardCharsets.UTF_8);
    // Malformed bytes become a replacement character, which may also have been written.
    if (value.indexOf(REPLACEMENT) >= 0
        && !Arrays.equals(
            value.getBytes(StandardCharsets.UTF_8), Arrays.copyOfRange(bytes, at, at + length))) {
      throw new IllegalArgumentException("expected UTF-8 at byte " + at);
    }
    at += length;
    return value;
  }

  public @Nullable String maybe() {
    return flag() ? text() : null;
  }
}
