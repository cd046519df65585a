package io.holdfast.cli;

import io.holdfast.api.Limits;

/** How many rows of a list may be asked for at once. */
final class PageLimit {
  private PageLimit() {}

  /** Refuses what {@code --limit} says if it is too much or nothing. */
  static void check(int limit) {
    if (limit < 1 || limit > Limits.PAGE_MAX) {
      throw new IllegalArgumentException(
          "--limit: expected 1 to " + Limits.PAGE_MAX + ", but got " + limit);
    }
  }
}
