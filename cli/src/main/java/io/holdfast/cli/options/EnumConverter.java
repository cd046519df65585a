package io.holdfast.cli.options;

import io.holdfast.cli.output.Labels;
import java.util.Iterator;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the constants of an enum, written as {@code in-flight}, and offers them to shells. */
public abstract class EnumConverter<E extends Enum<E>>
    implements ITypeConverter<E>, Iterable<String> {
  private final Class<E> type;

  public EnumConverter(Class<E> type) {
    this.type = type;
  }

  private static String word(Enum<?> constant) {
    return Labels.json(constant).replace('_', '-');
  }

  @Override
  public E convert(String text) {
    String wanted = text.toLowerCase(Locale.ROOT).replace('_', '-');
    for (E constant : type.getEnumConstants()) {
      if (word(constant).equals(wanted)) {
        return constant;
      }
    }
    throw new TypeConversionException(
        "expected one of " + String.join(", ", this) + ", but got " + text);
  }

  @Override
  public Iterator<String> iterator() {
    return Stream.of(type.getEnumConstants()).<String>map(EnumConverter::word).iterator();
  }
}
