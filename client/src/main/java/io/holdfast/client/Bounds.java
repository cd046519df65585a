package io.holdfast.client;

import java.time.Duration;

/** The bounds of what the client is set to: who oversteps one is told which, and what he said. */
public final class Bounds {
  private Bounds() {}

  /**
   * Checks a number.
   *
   * @throws IllegalArgumentException if it is out of bounds
   */
  public static void within(String field, long value, long min, long max) {
    if (value < min || value > max) {
      throw wrong(field, min + " to " + max, value);
    }
  }

  /**
   * Checks a time.
   *
   * @throws IllegalArgumentException if it is out of bounds
   */
  public static void within(String field, Duration value, Duration min, Duration max) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw wrong(field, min + " to " + max, value);
    }
  }

  /**
   * Checks that a time is more than nothing.
   *
   * @throws IllegalArgumentException if it is not
   */
  public static void positive(String field, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw wrong(field, "more than 0", value);
    }
  }

  private static IllegalArgumentException wrong(String field, String expected, Object got) {
    return new IllegalArgumentException(field + ": expected " + expected + ", but got " + got);
  }
}
