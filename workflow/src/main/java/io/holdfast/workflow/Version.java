package io.holdfast.workflow;

import java.util.regex.Pattern;

/** A version of a flow's code: numbers with dots, the first one weighing most. */
record Version(String text) implements Comparable<Version> {
  private static final Pattern FORM = Pattern.compile("\\d{1,9}(\\.\\d{1,9}){0,3}");

  static Version of(String text) {
    if (!FORM.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "version: expected numbers with dots such as 1.2, but got " + text);
    }
    return new Version(text);
  }

  @Override
  public int compareTo(Version other) {
    String[] mine = text.split("\\.", -1);
    String[] theirs = other.text.split("\\.", -1);
    for (int i = 0; i < Math.max(mine.length, theirs.length); i++) {
      int order = Integer.compare(at(mine, i), at(theirs, i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static int at(String[] numbers, int index) {
    return index < numbers.length ? Integer.parseInt(numbers[index]) : 0;
  }
}
