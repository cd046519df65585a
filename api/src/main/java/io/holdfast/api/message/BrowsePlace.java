package io.holdfast.api.message;

import io.holdfast.api.Check;
import io.holdfast.api.InvalidArgumentException;

/**
 * Where a look at the messages of a queue goes on: behind a seq of a part of a partition.
 *
 * <p>A page says its end as the {@link #text} of one. A caller who knows where it stands may also
 * make one: whether or not there is a message at that place, what is behind it follows.
 *
 * @param partition the name of the partition; empty for before the first
 * @param seq the last that was looked at; -1 for none
 */
public record BrowsePlace(String partition, Part part, int lane, long seq) {
  /** What is looked at of a partition, in this order. */
  public enum Part {
    LANES,
    DELAYED,
    DEAD
  }

  /** Before everything. */
  public static final BrowsePlace BEGINNING = inLane("", 0, -1);

  private static final int PARTS = 4;

  public BrowsePlace {
    Check.present("partition", partition);
    Check.present("part", part);
    Check.notNegative("lane", lane);
    Check.within("seq", seq, -1, Long.MAX_VALUE - 1);
  }

  /** Behind a seq of a lane. */
  public static BrowsePlace inLane(String partition, int lane, long seq) {
    return new BrowsePlace(partition, Part.LANES, lane, seq);
  }

  /**
   * The place that a page said.
   *
   * @throws IllegalArgumentException if the text is none
   */
  public static BrowsePlace parse(String text) {
    String[] parts = text.split(":", PARTS);
    try {
      return new BrowsePlace(
          parts[PARTS - 1],
          Part.valueOf(parts[0]),
          Integer.parseInt(parts[1]),
          Long.parseLong(parts[2]));
    } catch (RuntimeException notOurs) {
      throw new InvalidArgumentException(
          "after: expected the next of an earlier page, but got something else", notOurs);
    }
  }

  /** The place as {@link BrowseRequest#after} takes it. */
  public String text() {
    return part + ":" + lane + ":" + seq + ":" + partition;
  }
}
