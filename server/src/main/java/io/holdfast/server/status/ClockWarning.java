package io.holdfast.server.status;

import io.holdfast.api.Stats;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether the broker's time and the system clock differ so much that somebody should look.
 */
public final class ClockWarning {
  /** Less is caught up with in a few hours. */
  private static final long MIN_MS = 60_000;

  private ClockWarning() {}

  /** How far the broker's time is ahead of the system clock, in seconds; negative if behind. */
  public static long aheadSeconds(Stats stats) {
    return stats.clockAheadMs() / 1000;
  }

  /** What is wrong and what to do; null if the clocks agree. */
  public static @Nullable String of(Stats stats) {
    long ms = stats.clockAheadMs();
    if (Math.abs(ms) < MIN_MS) {
      return null;
    }
    String apart = text(Duration.ofMillis(Math.abs(ms)));
    return ms > 0
        ? "The broker's time is "
            + apart
            + " ahead of the system clock. Correct the system clock; if it was wrong before and is"
            + " right now, stop the broker and run holdfast repair-clock."
        : "The broker's time is "
            + apart
            + " behind the system clock and catches up at twice its speed. If the system clock is"
            + " wrong, correct it now.";
  }

  private static String text(Duration apart) {
    if (apart.toDays() > 1) {
      return apart.toDays() + " days";
    }
    return apart.toHours() > 1 ? apart.toHours() + " hours" : apart.toMinutes() + " min";
  }
}
