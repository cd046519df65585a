package io.holdfast.engine.store;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The key of a row, ready to be looked up: it knows its hash.
 *
 * <p>Comparable, so that a hash map full of colliding keys, which a producer could choose on
 * purpose, still finds them in logarithmic time.
 */
final class Key implements Comparable<Key> {
  private final byte[] bytes;
  private final int hash;

  Key(byte[] bytes) {
    this.bytes = bytes;
    this.hash = Arrays.hashCode(bytes);
  }

  byte[] bytes() {
    return bytes;
  }

  @Override
  public int compareTo(Key other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Key key && hash == key.hash && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return Arrays.toString(bytes);
  }
}
