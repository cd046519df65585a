package io.holdfast.server.status;

import java.util.HashMap;
import java.util.Map;

/**
 * How many listen, and how many of them for whom.
 *
 * <p>Invariant: at most {@link #MAX} in all, and {@link #EACH_MAX} for one: so nobody keeps the
 * others from listening.
 *
 * <p>Thread: any.
 */
final class Listeners {
  /** Most who listen at once. */
  static final int MAX = 100;

  /** Most of one token, or of one address if there are no tokens. */
  static final int EACH_MAX = 10;

  private final Map<String, Integer> counts = new HashMap<>();
  private int all;

  /** Whether one more may listen; then it has to {@link #leave}. */
  synchronized boolean join(String who) {
    int own = counts.getOrDefault(who, 0);
    if (all >= MAX || own >= EACH_MAX) {
      return false;
    }
    counts.put(who, own + 1);
    all++;
    return true;
  }

  synchronized void leave(String who) {
    counts.computeIfPresent(who, (name, own) -> own == 1 ? null : own - 1);
    all--;
  }

  synchronized int count() {
    return all;
  }
}
