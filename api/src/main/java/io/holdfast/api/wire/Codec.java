package io.holdfast.api.wire;

import org.jspecify.annotations.Nullable;

/**
 * One kind of value as bytes.
 *
 * @param <T> the kind; null is a value of every kind but numbers, truths and collections
 */
interface Codec<T> {
  void write(WireOut out, @Nullable T value);

  @Nullable T read(WireIn in);

  /** What a field of this kind holds if its record ended before it: an older peer wrote it. */
  @Nullable T absent();

  /** What it is, in a word or two. */
  String name();

  /** The name of a type without its package. */
  static String nameOf(Class<?> type) {
    return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
  }
}
