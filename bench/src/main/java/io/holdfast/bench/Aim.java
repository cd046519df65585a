package io.holdfast.bench;

import java.util.Locale;

/**
 * A value that was hoped for, beside the one that came.
 *
 * @param atLeast whether more is better; otherwise less is
 */
public record Aim(String what, double value, boolean atLeast, double wanted) {
  public static Aim atLeast(String what, double value, double wanted) {
    return new Aim(what, value, true, wanted);
  }

  public static Aim atMost(String what, double value, double wanted) {
    return new Aim(what, value, false, wanted);
  }

  public boolean met() {
    return atLeast ? value >= wanted : value <= wanted;
  }

  String line() {
    return String.format(
        Locale.ROOT,
        "%-52s %10.2f   aim %s %8.2f   %s",
        what,
        value,
        atLeast ? ">=" : "<=",
        wanted,
        met() ? "ok" : atLeast ? "below" : "above");
  }
}
