package io.holdfast.cli.terminal;

/** A number of bytes, rounded: {@code 812 B}, {@code 1.5 MiB}. */
public record ByteCount(long bytes) implements Measure {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  private static final int STEP = 1024;

  @Override
  public String toString() {
    double left = bytes;
    int unit = 0;
    while (left >= STEP && unit < UNITS.length - 1) {
      left /= STEP;
      unit++;
    }
    boolean small = unit > 0 && left < 10;
    return (small ? Double.toString(Math.round(left * 10) / 10.0) : Long.toString((long) left))
        + " "
        + UNITS[unit];
  }
}
