package io.holdfast.bench;

import java.nio.ByteBuffer;

/**
 * The 100-byte body of a message: the number of its partition, its own number there, and filler
 * that does not compress, so that disk figures flatter nobody.
 */
public final class Payload {
  public static final int BYTES = 100;

  private static final int SEQ_AT = Integer.BYTES;
  private static final int FILLER_AT = SEQ_AT + Long.BYTES;

  private Payload() {}

  public static byte[] of(int partition, long seq) {
    byte[] bytes = new byte[BYTES];
    ByteBuffer buffer = ByteBuffer.wrap(bytes).putInt(partition).putLong(seq);
    long random = (seq + 1) * 0x9E3779B97F4A7C15L ^ partition;
    for (int at = FILLER_AT; at < BYTES; at += Long.BYTES) {
      random ^= random << 13;
      random ^= random >>> 7;
      random ^= random << 17;
      buffer.putLong(random);
    }
    return bytes;
  }

  public static int partition(byte[] payload) {
    return ByteBuffer.wrap(payload).getInt();
  }

  public static long seq(byte[] payload) {
    return ByteBuffer.wrap(payload).getLong(SEQ_AT);
  }
}
