package io.holdfast.engine.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A Bloom filter of keys: it may take a key for one of its own that is none, never the other way
 * round.
 *
 * <p>All bits of a key lie in one line of the processor's cache.
 *
 * <p>Thread: any number may add. A key is sure to be found by the threads to which its adding
 * happened before.
 */
final class KeyFilter {
  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int LINE_WORDS = 8;
  private static final int BITS = 6;
  private static final int BITS_PER_KEY = 10;

  private final long[] words;
  private final int lineMask;

  /**
   * @param bytes a power of two
   */
  KeyFilter(int bytes) {
    words = new long[bytes / Long.BYTES];
    lineMask = words.length / LINE_WORDS - 1;
  }

  /** How many keys it holds before it errs in more than about one of a hundred. */
  long capacity() {
    return (long) words.length * Long.SIZE / BITS_PER_KEY;
  }

  void add(byte[] key) {
    long hash = hash(key);
    int line = line(hash);
    long bits = hash;
    for (int i = 0; i < BITS; i++) {
      int word = line + (int) (bits & 7);
      long bit = 1L << (bits >>> 3);
      if (((long) WORDS.getOpaque(words, word) & bit) == 0) {
        WORDS.getAndBitwiseOr(words, word, bit);
      }
      bits = Long.rotateRight(bits, 9);
    }
  }

  boolean mayHold(byte[] key) {
    long hash = hash(key);
    int line = line(hash);
    long bits = hash;
    for (int i = 0; i < BITS; i++) {
      if (((long) WORDS.getOpaque(words, line + (int) (bits & 7)) & (1L << (bits >>> 3))) == 0) {
        return false;
      }
      bits = Long.rotateRight(bits, 9);
    }
    return true;
  }

  private int line(long hash) {
    // The bits inside the line come from the lower end.
    return ((int) (mix(hash) >>> 32) & lineMask) * LINE_WORDS;
  }

  private static long hash(byte[] key) {
    long hash = key.length;
    int at = 0;
    for (; at <= key.length - Long.BYTES; at += Long.BYTES) {
      hash = (hash ^ (long) LONGS.get(key, at)) * 0x9E3779B97F4A7C15L;
      hash ^= hash >>> 29;
    }
    for (; at < key.length; at++) {
      hash = (hash ^ (key[at] & 0xff)) * 0x9E3779B97F4A7C15L;
      hash ^= hash >>> 29;
    }
    return mix(hash);
  }

  private static long mix(long value) {
    long mixed = (value ^ (value >>> 32)) * 0xD6E8FEB86659FD93L;
    mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
    return mixed ^ (mixed >>> 32);
  }
}
