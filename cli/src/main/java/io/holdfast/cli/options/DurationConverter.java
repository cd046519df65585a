package io.holdfast.cli.options;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads a duration in milliseconds: {@code 500ms}, {@code 30s}, {@code 5m}, {@code 2h}, {@code 1d},
 * {@code 2w}, {@code 1h30m}.
 */
public final class DurationConverter implements ITypeConverter<Long> {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,12}(ms|s|m|h|d|w))+");
  private static final Pattern PART = Pattern.compile("([0-9]+)(ms|s|m|h|d|w)");
  private static final String[] UNITS = {"d", "h", "m", "s"};

  @Override
  public Long convert(String text) {
    try {
      if (isOne(text)) {
        return millis(text);
      }
    } catch (ArithmeticException tooLong) {
      throw new TypeConversionException("expected a shorter duration than " + text);
    }
    throw new TypeConversionException(
        "expected a duration such as 500ms, 30s, 5m, 2h or 1d, but got " + text);
  }

  /** Whether a text is a duration. */
  public static boolean isOne(String text) {
    return FORM.matcher(text).matches();
  }

  private static long millis(String text) {
    long sum = 0;
    Matcher part = PART.matcher(text);
    while (part.find()) {
      long count = Long.parseLong(part.group(1));
      sum = Math.addExact(sum, Math.multiplyExact(count, unit(part.group(2))));
    }
    return sum;
  }

  private static long unit(String name) {
    return switch (name) {
      case "ms" -> 1;
      case "s" -> 1_000;
      case "m" -> 60_000;
      case "h" -> 3_600_000;
      case "d" -> 86_400_000;
      default -> 604_800_000;
    };
  }

  /** The text of a duration. */
  public static String format(long ms) {
    StringBuilder text = new StringBuilder();
    long left = ms;
    for (String name : UNITS) {
      long count = left / unit(name);
      if (count > 0) {
        text.append(count).append(name);
        left -= count * unit(name);
      }
    }
    return left > 0 || text.isEmpty() ? text.append(left).append("ms").toString() : text.toString();
  }
}
