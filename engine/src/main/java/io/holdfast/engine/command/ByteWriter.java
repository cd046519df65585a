package io.holdfast.engine.command;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Bytes being put together: fixed numbers big-endian, counts as varints, texts as UTF-8. */
public final class ByteWriter {
  private byte[] bytes;
  private int size;

  public ByteWriter(int capacity) {
    bytes = new byte[Math.max(16, capacity)];
  }

  private void room(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, bytes.length * 2));
    }
  }

  public int size() {
    return size;
  }

  /** Leaves bytes to be filled in later. */
  public ByteWriter skip(int count) {
    room(count);
    size += count;
    return this;
  }

  public ByteWriter byte1(int value) {
    room(1);
    bytes[size++] = (byte) value;
    return this;
  }

  public ByteWriter flag(boolean value) {
    return byte1(value ? 1 : 0);
  }

  /** The lowest {@code width} bytes of a number, big-endian. */
  public ByteWriter fixed(long value, int width) {
    room(width);
    Fixed.put(bytes, size, value, width);
    size += width;
    return this;
  }

  public ByteWriter long8(long value) {
    return fixed(value, 8);
  }

  /** A number that is usually small; negative ones take ten bytes. */
  public ByteWriter varint(long value) {
    room(10);
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
    return this;
  }

  public ByteWriter raw(byte[] value, int from, int length) {
    room(length);
    System.arraycopy(value, from, bytes, size, length);
    size += length;
    return this;
  }

  /** Bytes with their length in front. */
  public ByteWriter bytes(byte[] value) {
    return varint(value.length).raw(value, 0, value.length);
  }

  public ByteWriter text(String value) {
    return bytes(value.getBytes(StandardCharsets.UTF_8));
  }

  /** A text that may be absent. */
  public ByteWriter maybe(@Nullable String value) {
    return value == null ? byte1(0) : byte1(1).text(value);
  }

  public byte[] done() {
    return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
  }
}
