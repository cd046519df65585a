package io.holdfast.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks of arguments, for the records of the API: each names the field, what was expected and what
 * came.
 */
public final class Check {
  /** Longest name of a queue, partition, group, namespace, task, worker, in characters. */
  public static final int NAME_CHARS_MAX = 255;

  /** Longest transactionId, request id, journal name or record key, in characters. */
  public static final int KEY_CHARS_MAX = 1024;

  private Check() {}

  public static String name(String field, String value) {
    return text(field, value, NAME_CHARS_MAX);
  }

  public static String key(String field, String value) {
    return text(field, value, KEY_CHARS_MAX);
  }

  private static String text(String field, String value, int charsMax) {
    if (value == null || value.isEmpty()) {
      throw new InvalidArgumentException(field + ": expected a name, but it is empty");
    }
    if (value.length() > charsMax) {
      throw new InvalidArgumentException(
          field + ": expected at most " + charsMax + " characters, but got " + value.length());
    }
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (Character.isISOControl(c)) {
        throw new InvalidArgumentException(
            field + ": expected no control characters, but character " + i + " is one");
      }
      boolean lone =
          Character.isHighSurrogate(c)
              ? i + 1 == value.length() || !Character.isLowSurrogate(value.charAt(i + 1))
              : Character.isLowSurrogate(c)
                  && (i == 0 || !Character.isHighSurrogate(value.charAt(i - 1)));
      if (lone) {
        throw new InvalidArgumentException(
            field + ": expected valid Unicode, but character " + i + " is half a pair");
      }
    }
    return value;
  }

  public static <T> T present(String field, @Nullable T value) {
    if (value == null) {
      throw new InvalidArgumentException(field + ": expected a value, but there is none");
    }
    return value;
  }

  public static long notNegative(String field, long value) {
    return within(field, value, 0, Long.MAX_VALUE);
  }

  public static long within(String field, long value, long min, long max) {
    if (value < min || value > max) {
      throw new InvalidArgumentException(
          max == Long.MAX_VALUE
              ? field + ": expected " + min + " or more, but got " + value
              : field + ": expected " + min + " to " + max + ", but got " + value);
    }
    return value;
  }

  public static <T> List<T> notEmpty(String field, List<T> values) {
    if (values.isEmpty()) {
      throw new InvalidArgumentException(field + ": expected at least one, but it is empty");
    }
    return List.copyOf(values);
  }
}
