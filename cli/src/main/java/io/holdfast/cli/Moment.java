package io.holdfast.cli;

import io.holdfast.api.Broker;
import io.holdfast.server.http.Times;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A time as people write it: a date, a date and a time with an offset, or counted from now, such as
 * {@code -15m}.
 *
 * @param fromNow whether {@code ms} is counted from now; otherwise it is a time
 */
record Moment(boolean fromNow, long ms) {
  /** Reads one. */
  static final class Text implements ITypeConverter<Moment> {
    @Override
    public Moment convert(String text) {
      Moment moment = parse(text);
      if (moment == null) {
        throw new TypeConversionException(
            "expected a time such as 2026-11-15, 2026-11-15T18:26:18Z, -15m, +2h or now, but got "
                + text);
      }
      return moment;
    }
  }

  /** The time that a text says; null if it says none. */
  static @Nullable Moment parse(String text) {
    if (text.equals("now")) {
      return new Moment(true, 0);
    }
    if (text.length() > 1 && DurationText.isOne(text.substring(1))) {
      long ms = new DurationText().convert(text.substring(1));
      if (text.charAt(0) == '-') {
        return new Moment(true, -ms);
      }
      if (text.charAt(0) == '+') {
        return new Moment(true, ms);
      }
    }
    Long time = Times.parse(text);
    return time == null ? null : new Moment(false, time);
  }

  /** The time in epoch milliseconds, by the broker's clock. */
  long at(Broker broker) {
    return fromNow ? Math.max(0, broker.stats().orThrow().nowMs() + ms) : ms;
  }
}
