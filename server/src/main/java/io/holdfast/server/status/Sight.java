package io.holdfast.server.status;

import io.holdfast.server.access.NamePatterns;

/**
 * Which queues whoever asks may see. Two with the same patterns are equal.
 *
 * @param names the queues; if all, also what is about the broker as a whole
 */
public record Sight(NamePatterns names) {
  /** All there are, and what is about the broker as a whole. */
  public static final Sight ALL = new Sight(NamePatterns.ALL);

  public static Sight of(NamePatterns names) {
    return names.isAll() ? ALL : new Sight(names);
  }

  boolean isAll() {
    return names.isAll();
  }

  public boolean covers(String queue) {
    return names.matches(queue);
  }
}
