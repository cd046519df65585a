package io.holdfast.workflow;

import io.holdfast.api.InvalidArgumentException;
import java.util.Arrays;

/**
 * A version of a flow's code: numbers with dots, the first one weighing most.
 *
 * @param numbers all four of them; those that are not told are 0
 */
record Version(String text, int[] numbers) implements Comparable<Version> {
  private static final int NUMBERS_MAX = 4;
  private static final int DIGITS_MAX = 9;

  static Version of(String text) {
    int[] numbers = new int[NUMBERS_MAX];
    int at = 0;
    int digits = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= '0' && c <= '9' && digits < DIGITS_MAX) {
        numbers[at] = 10 * numbers[at] + (c - '0');
        digits++;
      } else if (c == '.' && digits > 0 && at + 1 < NUMBERS_MAX) {
        at++;
        digits = 0;
      } else {
        throw notOne(text);
      }
    }
    if (digits == 0) {
      throw notOne(text);
    }
    return new Version(text, numbers);
  }

  private static IllegalArgumentException notOne(String text) {
    return new InvalidArgumentException(
        "version: expected numbers with dots such as 1.2, but got " + text);
  }

  @Override
  public int compareTo(Version other) {
    return Arrays.compare(numbers, other.numbers);
  }
}
