package io.holdfast.json.objects;

/** The number of a partition as clients see it: a text that means nothing to them. */
public final class PartitionIds {
  /** No partition has this number. */
  private static final long NONE = 0;

  private static final int DIGITS_MAX = 18;

  private PartitionIds() {}

  /** The number; of a text that is none, one that no partition has. */
  public static long number(String text) {
    if (text.isEmpty() || text.length() > DIGITS_MAX) {
      return NONE;
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return NONE;
      }
    }
    return Long.parseLong(text);
  }

  public static String text(long number) {
    return Long.toString(number);
  }
}
