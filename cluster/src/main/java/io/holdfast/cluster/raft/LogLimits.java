package io.holdfast.cluster.raft;

import java.time.Duration;

/**
 * How large the log of a node becomes. Entries that are stored are kept for followers that lag,
 * until one of the limits is reached; a follower that needs older ones copies a checkpoint.
 *
 * @param segmentBytes the size of a file of the log
 * @param flushBytes applied entries are stored after that many bytes, so that a start replays no
 *     more
 * @param keptBytes the size of the log
 * @param keptEntries the entries in the log: each takes about 150 bytes of memory
 * @param keptFor the age of a file of the log
 */
public record LogLimits(
    long segmentBytes, long flushBytes, long keptBytes, long keptEntries, Duration keptFor) {
  private static final long MIB = 1 << 20;

  /** For servers. */
  public static final LogLimits SERVER =
      new LogLimits(64 * MIB, 64 * MIB, 1024 * MIB, 500_000, Duration.ofDays(1));

  /** Entries at the end of the log that are never deleted. */
  long neededEntries() {
    return Math.min(RaftSettings.KEPT_ENTRIES_MIN, keptEntries);
  }
}
