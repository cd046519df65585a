package io.holdfast.cli.options;

/** Checks of numbers and durations given as options. */
public final class Bounds {
  private Bounds() {}

  /**
   * Returns the value.
   *
   * @throws IllegalArgumentException naming the option, if the value is out of bounds
   */
  public static int check(String option, long value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          option
              + ": expected "
              + (max == Integer.MAX_VALUE ? min + " or more" : min + " to " + max)
              + ", but got "
              + value);
    }
    return (int) value;
  }

  /** Refuses an interval that is too short. */
  public static void checkInterval(String option, long ms, long minMs) {
    if (ms < minMs) {
      throw new IllegalArgumentException(
          option + ": expected " + minMs + "ms or more, but got " + ms + "ms");
    }
  }
}
