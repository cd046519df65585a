package io.holdfast.engine.store;

import java.util.Arrays;

/**
 * What a batch does, in the order it was asked to.
 *
 * <p>Thread: the one that fills the batch; after the hand-over the one that writes it.
 */
final class Writes {
  /** What happens to the rows of a batch, in order. */
  interface Visitor {
    void put(byte[] key, byte[] value);

    void delete(byte[] key);

    void deleteRange(byte[] from, byte[] to);
  }

  static final byte DELETE = 0x00;
  static final byte PUT = 0x01;
  static final byte DELETE_RANGE = 0x0F;

  private static final int FIRST_CAPACITY = 32;
  private static final byte[] NONE = {};

  private byte[] kinds = new byte[FIRST_CAPACITY];
  private byte[][] arrays = new byte[2 * FIRST_CAPACITY][];
  private int count;
  private long bytes;

  void put(byte[] key, byte[] value) {
    add(PUT, key, value);
  }

  void delete(byte[] key) {
    add(DELETE, key, NONE);
  }

  void deleteRange(byte[] from, byte[] to) {
    add(DELETE_RANGE, from, to);
  }

  private void add(byte kind, byte[] first, byte[] second) {
    if (count == kinds.length) {
      kinds = Arrays.copyOf(kinds, 2 * count);
      arrays = Arrays.copyOf(arrays, 4 * count);
    }
    kinds[count] = kind;
    arrays[2 * count] = first;
    arrays[2 * count + 1] = second;
    count++;
    bytes += first.length + second.length;
  }

  void clear() {
    Arrays.fill(arrays, null);
    count = 0;
    bytes = 0;
  }

  int count() {
    return count;
  }

  /** The bytes of all keys and values. */
  long bytes() {
    return bytes;
  }

  byte kind(int index) {
    return kinds[index];
  }

  /** The key, or where a range begins. */
  byte[] first(int index) {
    return arrays[2 * index];
  }

  /** The value, nothing for a delete, or where a range ends. */
  byte[] second(int index) {
    return arrays[2 * index + 1];
  }

  void visit(Visitor visitor) {
    for (int i = 0; i < count; i++) {
      switch (kinds[i]) {
        case PUT -> visitor.put(first(i), second(i));
        case DELETE -> visitor.delete(first(i));
        default -> visitor.deleteRange(first(i), second(i));
      }
    }
  }
}
