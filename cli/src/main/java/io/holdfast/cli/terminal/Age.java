package io.holdfast.cli.terminal;

/**
 * A duration, rounded: {@code 850ms}, {@code 12s}, {@code 3m 20s}, {@code 2d 4h}.
 *
 * @param ms negative values count as 0
 */
public record Age(long ms) implements Measure {
  private static final long SECOND = 1_000;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  public static String ago(long nowMs, long thenMs) {
    return thenMs == 0 ? "never" : new Age(nowMs - thenMs) + " ago";
  }

  @Override
  public String toString() {
    if (ms < SECOND) {
      return Math.max(0, ms) + "ms";
    }
    if (ms < MINUTE) {
      return ms / SECOND + "s";
    }
    if (ms < HOUR) {
      return two(ms, MINUTE, "m", SECOND, "s");
    }
    return ms < DAY ? two(ms, HOUR, "h", MINUTE, "m") : two(ms, DAY, "d", HOUR, "h");
  }

  private static String two(long ms, long large, String one, long small, String other) {
    long rest = ms % large / small;
    return ms / large + one + (rest == 0 ? "" : " " + rest + other);
  }
}
