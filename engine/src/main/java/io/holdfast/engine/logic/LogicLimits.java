package io.holdfast.engine.logic;

import io.holdfast.api.Limits;

/** Limits of the rules that are the same for all shards and never change. */
public final class LogicLimits {
  private LogicLimits() {}

  /** A pop stops at this many bytes. */
  static final int POP_BYTES_MAX = 4 << 20;

  /** A page of messages, dead letters, records or events ends once they are this large. */
  public static final int PAGE_BYTES_MAX = 4 << 20;

  /** Most lanes of a partition at a time. */
  static final int LANES_MAX = 256;

  /** A partition whose next message cannot be opened is looked at again within this time. */
  static final long UNREADABLE_MS = 10_000;

  /** When to look again: the same time whoever looks before it, also after a restart. */
  static long unreadableUntilMs(long nowMs) {
    return (nowMs / UNREADABLE_MS + 1) * UNREADABLE_MS;
  }

  /** Most partitions one tick sweeps. */
  static final int SWEEP_PARTITIONS_MAX = 5_000;

  /** Most partitions one command moves a group on, or empties. */
  static final int STRETCH_MAX = 1_000;

  /** Up to this many chunks are deleted one by one, more as a range. */
  static final int TRIM_POINTS_MAX = 64;

  /** Most times that a group waits for, each on partitions of its own. */
  static final int STARTS_MAX = 100;

  /** Most failed attempts kept of a message. */
  static final int ATTEMPTS_MAX = 32;

  /** An ended lease is remembered this long at least. */
  static final long ENDED_MS_MIN = 5 * 60_000;

  /** A request id is remembered this long. */
  static final long REQUEST_MS = Limits.REQUEST_ID_MS;

  /** A producer session is dropped when it was not used for this long. */
  static final long SESSION_MS = 7L * 24 * 3600 * 1000;

  /** Most sessions that one request drops because the answers of all take too many bytes. */
  static final int SESSION_DROPS_MAX = 100;
}
