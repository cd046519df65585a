package io.holdfast.api.wire;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One of several records as bytes: which of them it is, then the record. */
final class SealedCodec<T> implements Codec<T> {
  private final Class<T> type;
  private final List<RecordCodec<?>> codecs;
  private final Map<Class<?>, Integer> numbers = new HashMap<>();

  SealedCodec(Class<T> type, List<Class<?>> records, List<RecordCodec<?>> codecs) {
    this.type = type;
    this.codecs = codecs;
    for (int i = 0; i < records.size(); i++) {
      numbers.put(records.get(i), i);
    }
  }

  @Override
  public void write(WireOut out, @Nullable T value) {
    if (value == null) {
      out.octet(0);
      return;
    }
    Integer number = numbers.get(value.getClass());
    if (number == null) {
      throw new IllegalStateException("expected one of " + numbers.keySet() + ", but got " + value);
    }
    out.octet(number + 1);
    writeAs(codecs.get(number), out, value);
  }

  @SuppressWarnings("unchecked")
  private static <R extends Record> void writeAs(RecordCodec<R> codec, WireOut out, Object value) {
    codec.write(out, (R) value);
  }

  @Override
  public @Nullable T read(WireIn in) {
    int number = in.octet("a kind");
    if (number == 0) {
      return null;
    }
    if (number > codecs.size()) {
      throw new WireException(
          "the body: expected a kind of "
              + name()
              + " from 1 to "
              + codecs.size()
              + ", but got "
              + number);
    }
    return type.cast(codecs.get(number - 1).read(in));
  }

  @Override
  public @Nullable T absent() {
    return null;
  }

  @Override
  public String name() {
    return Codec.nameOf(type);
  }

  /** Its kinds in the order of their numbers, as the description of the wire has them. */
  String kinds() {
    return codecs.stream().map(RecordCodec::name).collect(Collectors.joining(" | "));
  }
}
