package io.holdfast.bench.backlog;

/**
 * How much a backlog run piles up.
 *
 * @param messages waiting messages
 * @param delayed messages that are not due
 * @param partitions partitions with one message each
 */
public record BacklogSize(long messages, long delayed, long partitions) {
  public BacklogSize {
    positive("messages", messages);
    positive("delayed", delayed);
    positive("partitions", partitions);
  }

  private static void positive(String field, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(field + ": expected 1 or more, but got " + value);
    }
  }
}
