package io.holdfast.engine.store;

import java.nio.charset.StandardCharsets;

/** A key being put together. */
final class KeyWriter {
  private final byte[] bytes;
  private int at;

  KeyWriter(byte table, int length) {
    bytes = new byte[1 + length];
    bytes[at++] = table;
  }

  KeyWriter int1(int value) {
    bytes[at++] = (byte) value;
    return this;
  }

  KeyWriter int4(int value) {
    int1(value >>> 24).int1(value >>> 16).int1(value >>> 8).int1(value);
    return this;
  }

  /** A number below 2^48. */
  KeyWriter long6(long value) {
    return int1((int) (value >>> 40)).int1((int) (value >>> 32)).int4((int) value);
  }

  KeyWriter long8(long value) {
    return int4((int) (value >>> 32)).int4((int) value);
  }

  KeyWriter bytes(byte[] value) {
    System.arraycopy(value, 0, bytes, at, value.length);
    at += value.length;
    return this;
  }

  KeyWriter text(String ascii) {
    return bytes(ascii.getBytes(StandardCharsets.US_ASCII));
  }

  byte[] done() {
    return bytes;
  }
}
