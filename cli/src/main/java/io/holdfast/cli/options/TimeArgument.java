package io.holdfast.cli.options;

import io.holdfast.api.Broker;
import io.holdfast.json.Times;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A time given as an argument: a date, a date and a time with an offset, or relative to now, such
 * as {@code -15m}.
 *
 * @param fromNow whether {@code ms} is relative to now; otherwise it is epoch milliseconds
 */
public record TimeArgument(boolean fromNow, long ms) {
  /** Reads a time for picocli. */
  public static final class Converter implements ITypeConverter<TimeArgument> {
    @Override
    public TimeArgument convert(String text) {
      TimeArgument time = parse(text);
      if (time == null) {
        throw new TypeConversionException(
            "expected a time such as 2026-11-15, 2026-11-15T18:26:18Z, -15m, +2h or now, but got "
                + text);
      }
      return time;
    }
  }

  /**
   * Reads the time of an option that also has named values.
   *
   * @param names the named values
   * @throws IllegalArgumentException naming the option, if the text is no time
   */
  public static TimeArgument parse(String option, String names, String text) {
    TimeArgument time = parse(text);
    if (time == null) {
      throw new IllegalArgumentException(
          option + ": expected " + names + " or a time such as -15m, but got " + text);
    }
    return time;
  }

  /** Returns null if the text is no time. */
  public static @Nullable TimeArgument parse(String text) {
    if (text.equals("now")) {
      return new TimeArgument(true, 0);
    }
    if (text.length() > 1 && DurationConverter.isOne(text.substring(1))) {
      long ms = new DurationConverter().convert(text.substring(1));
      if (text.charAt(0) == '-') {
        return new TimeArgument(true, -ms);
      }
      if (text.charAt(0) == '+') {
        return new TimeArgument(true, ms);
      }
    }
    Long time = Times.parse(text);
    return time == null ? null : new TimeArgument(false, time);
  }

  /** The time in epoch milliseconds, by the broker's clock. */
  public long at(Broker broker) {
    return fromNow ? Math.max(0, broker.stats().orThrow().nowMs() + ms) : ms;
  }
}
