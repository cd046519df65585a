package io.holdfast.engine.seal;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * A key of XAES-256-GCM, which is AES-256-GCM under a key derived from this one and the first half
 * of a nonce of 192 bits. Nonces of that length may be drawn at random for any number of messages;
 * the 96 bits of AES-GCM alone are enough for four billion, which a queue may pass in a day.
 *
 * <p>Thread: any.
 */
final class Xaes {
  static final int KEY_BYTES = 32;

  /** How much of the nonce the derived key depends on; the rest is the nonce of AES-GCM. */
  static final int PREFIX_BYTES = 12;

  private static final int BLOCK_BYTES = 16;
  private static final String AES = "AES";

  /** What doubling in the field of CMAC adds if a bit is shifted out. */
  private static final int REDUCTION = 0x87;

  private final SecretKeySpec key;
  private final byte[] mask;

  Xaes(byte[] key) {
    if (key.length != KEY_BYTES) {
      throw new IllegalArgumentException(
          "key: expected " + KEY_BYTES + " bytes, but got " + key.length);
    }
    this.key = new SecretKeySpec(key, AES);
    this.mask = doubled(encrypted(new byte[BLOCK_BYTES]));
  }

  /** The key of AES-GCM for all nonces that begin with the bytes at an offset. */
  SecretKey derived(byte[] nonce, int at) {
    byte[] blocks = new byte[2 * BLOCK_BYTES];
    for (int i = 0; i < 2; i++) {
      int block = i * BLOCK_BYTES;
      blocks[block + 1] = (byte) (i + 1);
      blocks[block + 2] = 'X';
      System.arraycopy(nonce, at, blocks, block + BLOCK_BYTES - PREFIX_BYTES, PREFIX_BYTES);
      for (int j = 0; j < BLOCK_BYTES; j++) {
        blocks[block + j] ^= mask[j];
      }
    }
    return new SecretKeySpec(encrypted(blocks), AES);
  }

  private byte[] encrypted(byte[] blocks) {
    try {
      // Blocks that never repeat under a key that encrypts nothing else: a way to derive keys.
      Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
      cipher.init(Cipher.ENCRYPT_MODE, key);
      return cipher.doFinal(blocks);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES", e);
    }
  }

  private static byte[] doubled(byte[] block) {
    byte[] twice = Arrays.copyOf(block, block.length);
    int carry = 0;
    for (int i = block.length - 1; i >= 0; i--) {
      int shifted = ((block[i] & 0xff) << 1) | carry;
      twice[i] = (byte) shifted;
      carry = shifted >>> 8;
    }
    twice[block.length - 1] ^= (byte) (carry * REDUCTION);
    return twice;
  }
}
