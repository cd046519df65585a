package io.holdfast.testkit;

/**
 * How many rounds, seeds and inputs tests try: a sample in the normal run, all of them in the long
 * one ({@code ./holdfast test --long}).
 */
public final class TestScale {
  private static final boolean LONG = "long".equals(System.getProperty("holdfast.test.scale"));

  private TestScale() {}

  /** The number of rounds of this run. */
  public static int rounds(int inNormalRun, int inLongRun) {
    return LONG ? inLongRun : inNormalRun;
  }
}
