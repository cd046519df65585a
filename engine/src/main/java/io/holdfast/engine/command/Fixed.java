package io.holdfast.engine.command;

/** Big-endian numbers of a fixed width inside byte arrays. */
public final class Fixed {
  private Fixed() {}

  public static void put(byte[] bytes, int at, long value, int width) {
    for (int i = width - 1, shift = 0; i >= 0; i--, shift += 8) {
      bytes[at + i] = (byte) (value >>> shift);
    }
  }

  public static long get(byte[] bytes, int at, int width) {
    long value = 0;
    for (int i = 0; i < width; i++) {
      value = (value << 8) | (bytes[at + i] & 0xff);
    }
    return value;
  }
}
