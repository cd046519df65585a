package io.holdfast.api.group;

import io.holdfast.api.Broker;
import io.holdfast.api.Check;

/**
 * Where a group begins on a queue it has never read. It is decided at the group's first pop, and
 * holds for partitions that come later, until {@link Broker#subscribeFrom} changes it for those.
 */
public sealed interface StartFrom {
  /** Everything that is stored. */
  record All() implements StartFrom {}

  /** What is pushed after the group was made. */
  record New() implements StartFrom {}

  /** What entered the queue at or after a time (epoch milliseconds), also one still to come. */
  record Time(long fromMs) implements StartFrom {
    public Time {
      Check.notNegative("fromMs", fromMs);
    }
  }

  StartFrom ALL = new All();
  StartFrom NEW = new New();
}
