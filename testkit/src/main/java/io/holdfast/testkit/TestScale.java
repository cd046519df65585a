package io.holdfast.testkit;

/**
 * How many rounds, seeds and inputs tests try: a sample in the normal run, all of them in the long
 * one ({@code ./holdfast test --long}). {@code -Dholdfast.seconds=n} lets tests of random input try
 * seeds for that long.
 */
public final class TestScale {
  private static final boolean LONG = "long".equals(System.getProperty("holdfast.test.scale"));

  private static final int SECONDS = Integer.getInteger("holdfast.seconds", 0);

  private TestScale() {}

  /** The number of rounds of this run. */
  public static int rounds(int inNormalRun, int inLongRun) {
    return LONG ? inLongRun : inNormalRun;
  }

  /**
   * Whether a test tries another seed.
   *
   * @param tried how many it has tried
   * @param rounds how many it tries in this run, unless a time is given
   * @param begunNanos when it began, by {@link System#nanoTime}
   */
  public static boolean hasNext(int tried, int rounds, long begunNanos) {
    return SECONDS > 0 ? System.nanoTime() - begunNanos < SECONDS * 1_000_000_000L : tried < rounds;
  }
}
