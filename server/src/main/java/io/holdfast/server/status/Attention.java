package io.holdfast.server.status;

import org.jspecify.annotations.Nullable;

/**
 * Something that somebody should look at.
 *
 * @param text in words
 * @param queue null if it is about the broker as a whole; so is {@code group}
 * @param count how many of what it is about; 0 if that does not count
 * @param sinceMs 0 if that is not known
 */
public record Attention(
    Kind kind,
    String text,
    @Nullable String queue,
    @Nullable String group,
    long count,
    long sinceMs) {
  /** What it is about, the most urgent first. */
  enum Kind {
    STOPPED("stopped"),
    DISK_LOW("diskLow"),
    CLOCK("clock"),
    BLOCKED_FLOWS("blockedFlows"),
    DEAD_GROWING("deadGrowing"),
    LAGGING("lagging"),
    PAUSED("paused");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  static Attention of(Kind kind, String text, long count) {
    return new Attention(kind, text, null, null, count, 0);
  }
}
