package io.holdfast.cli;

import io.holdfast.api.queue.QueueOption;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Options of queues as people write and read them: times with their unit. */
final class OptionText {
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

  private OptionText() {}

  /** An option and its value. */
  static String words(QueueOption option, Object value, boolean withDefault) {
    return option.wireName()
        + "="
        + value(option, value)
        + (withDefault ? " (default: " + value(option, option.byDefault()) + ")" : "");
  }

  private static String value(QueueOption option, Object value) {
    if (value instanceof Long number && number > 0) {
      if (SECONDS.contains(option)) {
        return DurationText.words(number * SECOND_MS);
      }
      if (MILLIS.contains(option)) {
        return DurationText.words(number);
      }
    }
    return value.toString().isEmpty() ? "''" : value.toString();
  }

  /**
   * The value of an option that was written; null for its default.
   *
   * @throws IllegalArgumentException if the option takes no such value
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
    if ((millis || SECONDS.contains(option)) && DurationText.isOne(text)) {
      long ms = new DurationText().convert(text);
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
