package io.holdfast.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A length of time as people write it, in milliseconds: {@code 90d}, {@code 12h}, {@code 30m}. */
final class Lifetime implements ITypeConverter<Long> {
  private static final Pattern FORM = Pattern.compile("([1-9][0-9]{0,8})([smhdw])");
  private static final Duration MAX = Duration.ofDays(36_500);

  @Override
  public Long convert(String text) {
    Matcher matcher = FORM.matcher(text);
    if (matcher.matches()) {
      long count = Long.parseLong(matcher.group(1));
      Duration time =
          switch (matcher.group(2)) {
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            case "d" -> Duration.ofDays(count);
            default -> Duration.ofDays(7 * count);
          };
      if (time.compareTo(MAX) <= 0) {
        return time.toMillis();
      }
    }
    throw new TypeConversionException(
        "expected a time up to 100 years, such as 90d, 12h or 30m, but got " + text);
  }
}
