package io.holdfast.engine.command;

import java.util.Arrays;
import java.util.Base64;

/**
 * The id of a lease: 64 bits, written as 11 characters of URL-safe base64. The first bit is 0, then
 * come the shard (6 bits) and 57 random bits.
 */
public final class LeaseId {
  private static final int CHARS = 11;
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

  /** No lease has this number. */
  public static final long NONE = 0;

  private static final int RANDOM_BITS = 57;

  /** What to add to random bits so that {@link #of} gives another id. */
  public static final long RANDOM_STEP = 1L << (Long.SIZE - RANDOM_BITS);

  /** The value of each character; -1 of those that are none of ours. */
  private static final byte[] DIGITS = digits();

  private LeaseId() {}

  private static byte[] digits() {
    byte[] digits = new byte[128];
    Arrays.fill(digits, (byte) -1);
    String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (int i = 0; i < alphabet.length(); i++) {
      digits[alphabet.charAt(i)] = (byte) i;
    }
    return digits;
  }

  /**
   * The id of a new lease of this shard, from the high 57 of 64 random bits.
   *
   * <p>The first bit is 0: otherwise some ids, written out, would begin like an option of a
   * command.
   */
  public static long of(long random) {
    return ((long) MessageId.THIS_SHARD << RANDOM_BITS) | (random >>> (Long.SIZE - RANDOM_BITS));
  }

  /** The shard that granted a lease. */
  public static int shard(long lease) {
    return (int) (lease >>> RANDOM_BITS);
  }

  public static String text(long lease) {
    byte[] bytes = new byte[8];
    Fixed.put(bytes, 0, lease, 8);
    return ENCODER.encodeToString(bytes);
  }

  /** The number of a lease, or {@link #NONE} if the text cannot be one. */
  public static long number(String text) {
    if (text.length() != CHARS) {
      return NONE;
    }
    long lease = 0;
    for (int i = 0; i < CHARS; i++) {
      char c = text.charAt(i);
      int digit = c < DIGITS.length ? DIGITS[c] : -1;
      // The last character carries four bits, and two that are always zero.
      if (digit < 0 || (i == CHARS - 1 && (digit & 3) != 0)) {
        return NONE;
      }
      lease = i < CHARS - 1 ? (lease << 6) | digit : (lease << 4) | (digit >> 2);
    }
    return lease;
  }
}
