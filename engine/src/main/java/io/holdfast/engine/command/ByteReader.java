package io.holdfast.engine.command;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A walk over bytes that a {@link ByteWriter} put together. */
public final class ByteReader {
  private final byte[] bytes;
  private int at;

  public ByteReader(byte[] bytes) {
    this(bytes, 0);
  }

  public ByteReader(byte[] bytes, int from) {
    this.bytes = bytes;
    this.at = from;
  }

  public int at() {
    return at;
  }

  public boolean atEnd() {
    return at >= bytes.length;
  }

  public ByteReader skip(int count) {
    at += count;
    return this;
  }

  public int byte1() {
    return bytes[at++];
  }

  public boolean flag() {
    return byte1() != 0;
  }

  public long fixed(int width) {
    long value = Fixed.get(bytes, at, width);
    at += width;
    return value;
  }

  public long long8() {
    return fixed(8);
  }

  public long varint() {
    long value = 0;
    int shift = 0;
    while (true) {
      byte next = bytes[at++];
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
      shift += 7;
    }
  }

  public int count() {
    return (int) varint();
  }

  public byte[] raw(int length) {
    byte[] value = Arrays.copyOfRange(bytes, at, at + length);
    at += length;
    return value;
  }

  public byte[] bytes() {
    return raw(count());
  }

  public String text() {
    int length = count();
    String value = new String(bytes, at, length, StandardCharsets.UTF_8);
    at += length;
    return value;
  }

  public @Nullable String maybe() {
    return flag() ? text() : null;
  }
}
