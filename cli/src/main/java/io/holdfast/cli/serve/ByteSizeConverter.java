package io.holdfast.cli.serve;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a size in bytes: {@code 4096}, {@code 512KiB}, {@code 16MiB}, {@code 1g}. */
final class ByteSizeConverter implements ITypeConverter<Long> {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,12}) ?([kmg]?)(i?b)?");
  private static final String UNITS = "kmg";

  @Override
  public Long convert(String text) {
    Matcher matcher = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "expected bytes such as 4096, 512KiB, 16MiB or 1GiB, but got " + text);
    }
    String unit = matcher.group(2);
    int shift = unit.isEmpty() ? 0 : 10 * (UNITS.indexOf(unit.charAt(0)) + 1);
    return Long.parseLong(matcher.group(1)) << shift;
  }
}
