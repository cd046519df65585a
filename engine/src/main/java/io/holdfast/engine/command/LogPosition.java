package io.holdfast.engine.command;

/**
 * The position of an entry in the log of a shard.
 *
 * @param term counts leaders; 0 on a node that orders by itself
 * @param index counts entries, without gaps
 */
public record LogPosition(long term, long index) {
  /** The position before the first entry. */
  public static final LogPosition START = new LogPosition(0, 0);

  /** The position of the next entry in the same term. */
  public LogPosition next() {
    return new LogPosition(term, index + 1);
  }
}
