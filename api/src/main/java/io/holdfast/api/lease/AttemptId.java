package io.holdfast.api.lease;

/**
 * The parts of an attempt id: a name, and perhaps the number of the try behind a {@code ~}, such as
 * {@code pop-17~2}.
 *
 * <p>A repeat may overtake the try before it, which is still under way on a connection that was
 * given up. By the number the broker knows which of them the caller waits for: the one that comes
 * late gets nothing. An id without a number is always taken for the newest try.
 */
public final class AttemptId {
  private static final char SEPARATOR = '~';
  private static final int DIGITS_MAX = 15;

  /** What {@link #number} returns for an id without a number. */
  public static final long NONE = -1;

  private AttemptId() {}

  /** The first try of a pop with a name. */
  public static String first(String name) {
    return name + SEPARATOR + 0;
  }

  /** The id of a later try; the same id if it has no number. */
  public static String later(String id, long by) {
    long number = number(id);
    return number == NONE ? id : name(id) + SEPARATOR + (number + by);
  }

  /** The part that all tries have in common. */
  public static String name(String id) {
    return number(id) == NONE ? id : id.substring(0, id.lastIndexOf(SEPARATOR));
  }

  /** The number of the try; {@link #NONE} if it has none. */
  public static long number(String id) {
    int digits = id.lastIndexOf(SEPARATOR) + 1;
    int length = id.length() - digits;
    if (digits == 0 || length == 0 || length > DIGITS_MAX) {
      return NONE;
    }
    long number = 0;
    for (int i = digits; i < id.length(); i++) {
      char digit = id.charAt(i);
      if (digit < '0' || digit > '9') {
        return NONE;
      }
      number = number * 10 + digit - '0';
    }
    return number;
  }
}
