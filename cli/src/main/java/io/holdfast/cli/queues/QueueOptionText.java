package io.holdfast.cli.queues;

import io.holdfast.api.queue.QueueOption;
import io.holdfast.cli.options.DurationConverter;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads and formats queue options; durations have a unit. */
final class QueueOptionText {
  private static final Set<QueueOption> SECONDS =
      EnumSet.of(
          QueueOption.LEASE_TIME,
          QueueOption.DEAD_RETENTION,
          QueueOption.DELAYED_PROCESSING,
          QueueOption.WINDOW_BUFFER,
          QueueOption.DEDUP_WINDOW,
          QueueOption.TTL,
          QueueOption.MAX_WAIT_TIME,
          QueueOption.RETENTION,
          QueueOption.COMPLETED_RETENTION);
  private static final Set<QueueOption> MILLIS =
      EnumSet.of(QueueOption.RETRY_DELAY, QueueOption.RETRY_DELAY_MAX);
  private static final long SECOND_MS = 1_000;
  private static final String DEFAULT = "default";

  private QueueOptionText() {}

  /** An option and its value. */
  static String format(QueueOption option, Object value, boolean withDefault) {
    return option.wireName()
        + "="
        + value(option, value)
        + (withDefault ? " (default: " + value(option, option.byDefault()) + ")" : "");
  }

  private static String value(QueueOption option, Object value) {
    if (value instanceof Long number && number > 0) {
      if (SECONDS.contains(option)) {
        return DurationConverter.format(number * SECOND_MS);
      }
      if (MILLIS.contains(option)) {
        return DurationConverter.format(number);
      }
    }
    return value.toString().isEmpty() ? "''" : value.toString();
  }

  /**
   * Returns null for the default.
   *
   * @throws IllegalArgumentException if the value is invalid
   */
  static @Nullable Object parse(QueueOption option, String text) {
    if (text.equals(DEFAULT)) {
      return null;
    }
    if (option.byDefault() instanceof Boolean) {
      return switch (text) {
        case "true", "on", "yes" -> true;
        case "false", "off", "no" -> false;
        default -> throw wrong(option, "true or false", text);
      };
    }
    if (!(option.byDefault() instanceof Long)) {
      return text;
    }
    if (text.matches("-?[0-9]{1,18}")) {
      return Long.parseLong(text);
    }
    boolean millis = MILLIS.contains(option);
    if ((millis || SECONDS.contains(option)) && DurationConverter.isOne(text)) {
      long ms = new DurationConverter().convert(text);
      if (!millis && ms % SECOND_MS != 0) {
        throw wrong(option, "whole seconds", text);
      }
      return millis ? ms : ms / SECOND_MS;
    }
    throw wrong(option, millis || SECONDS.contains(option) ? "a duration" : "a whole number", text);
  }

  private static IllegalArgumentException wrong(QueueOption option, String expected, String got) {
    return new IllegalArgumentException(
        option.wireName() + ": expected " + expected + ", but got " + got);
  }
}
