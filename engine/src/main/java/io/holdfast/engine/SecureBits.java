package io.holdfast.engine;

import io.holdfast.engine.command.Fixed;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Random bits that cannot be guessed, also by those who know earlier ones. They are drawn from a
 * {@link SecureRandom} in blocks, because a draw costs about as much as the rest of a command.
 *
 * <p>Thread: one.
 */
final class SecureBits {
  private static final int BLOCK_BYTES = 4096;

  private final SecureRandom source;
  private final byte[] block = new byte[BLOCK_BYTES];
  private int at = BLOCK_BYTES;

  SecureBits(SecureRandom source) {
    this.source = source;
  }

  long nextLong() {
    if (at == BLOCK_BYTES) {
      source.nextBytes(block);
      at = 0;
    }
    long bits = Fixed.get(block, at, Long.BYTES);
    // Erased, so that a memory dump does not reveal bits that were used.
    Arrays.fill(block, at, at + Long.BYTES, (byte) 0);
    at += Long.BYTES;
    return bits;
  }
}
