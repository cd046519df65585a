package io.holdfast.api.wire;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One of some words as a byte: its number in the order of their declaration, from 1. */
final class EnumCodec implements Codec<Object> {
  private final Class<?> type;
  private final Object[] words;

  EnumCodec(Class<?> type) {
    this.type = type;
    this.words = type.getEnumConstants();
  }

  // The order is the form; a test keeps it.
  @SuppressWarnings("EnumOrdinal")
  @Override
  public void write(WireOut out, @Nullable Object value) {
    out.octet(value == null ? 0 : ((Enum<?>) value).ordinal() + 1);
  }

  @Override
  public @Nullable Object read(WireIn in) {
    int number = in.octet("a word");
    if (number == 0) {
      return null;
    }
    if (number > words.length) {
      throw new WireException(
          "the body: expected a word of "
              + name()
              + " from 1 to "
              + words.length
              + ", but got "
              + number);
    }
    return words[number - 1];
  }

  @Override
  public @Nullable Object absent() {
    return null;
  }

  @Override
  public String name() {
    return Codec.nameOf(type);
  }

  String words() {
    return Arrays.stream(words).map(Object::toString).collect(Collectors.joining(" "));
  }
}
