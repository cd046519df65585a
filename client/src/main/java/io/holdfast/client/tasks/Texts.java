package io.holdfast.client.tasks;

import io.holdfast.api.task.TaskStatus;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How names are checked, and how statuses, times and errors are written for people. */
final class Texts {
  /** Longest name that a broker takes, in characters. */
  private static final int NAME_CHARS_MAX = 255;

  private Texts() {}

  static String name(String field, @Nullable String value) {
    if (value == null || value.isEmpty() || value.length() > NAME_CHARS_MAX) {
      throw new IllegalArgumentException(
          field
              + ": expected a name of 1 to "
              + NAME_CHARS_MAX
              + " characters, but got "
              + (value == null ? "none" : value.length()));
    }
    if (value.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          field + ": expected no control characters, but there is one");
    }
    return value;
  }

  /** A status as the log lines and JSON have it: {@code Running}. */
  static String word(TaskStatus status) {
    String name = status.name();
    return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
  }

  /** A duration as people write it: {@code 500ms}, {@code 2s}, {@code 1.5s}. */
  static String seconds(Duration time) {
    long ms = time.toMillis();
    if (ms < 1_000) {
      return ms + "ms";
    }
    return ms % 1_000 == 0 ? ms / 1_000 + "s" : ms / 1_000.0 + "s";
  }

  /** A text that stays on its line in a log, whatever a device put into it. */
  static String oneLine(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return "no error given";
    }
    StringBuilder line = new StringBuilder(text.length());
    text.codePoints()
        .forEach(c -> line.appendCodePoint(Character.isISOControl(c) || c == 0x2028 ? ' ' : c));
    return line.toString();
  }
}
