package io.holdfast.engine.logic;

import io.holdfast.api.Limits;
import io.holdfast.engine.command.MessageId;

/**
 * The limits a shard's rules know of.
 *
 * @param partitionsMax most partitions, and most subscriptions
 * @param retainedBytesMax settled messages are kept for their retention, but only up to this
 * @param tailCacheBytes recently used chunks kept in memory
 * @param commandRowsMax most rows that the loops of one command read and write
 * @param requestBytesMax beyond this many bytes of remembered answers, new request ids are refused
 * @param sessionsMax most producer sessions; the least recently used one is dropped for another
 * @param sessionBytesMax most bytes of the answers of all sessions
 * @param slotEnd one past the greatest slot of a partition; tests lower it
 * @param seqEnd where a partition takes no more messages; tests lower it
 */
public record LogicLimits(
    int queuesMax,
    long partitionsMax,
    int groupsMax,
    long retainedBytesMax,
    long tailCacheBytes,
    int commandRowsMax,
    long requestBytesMax,
    int sessionsMax,
    long sessionBytesMax,
    int slotEnd,
    long seqEnd) {
  /** Each chunk is checked by itself, and no command has chunks for more seqs than this. */
  private static final long COMMAND_SEQS_MAX = 1L << 32;

  /** Limits with all the slots and seqs that message ids have room for. */
  public LogicLimits(
      int queuesMax,
      long partitionsMax,
      int groupsMax,
      long retainedBytesMax,
      long tailCacheBytes) {
    this(
        queuesMax,
        partitionsMax,
        groupsMax,
        retainedBytesMax,
        tailCacheBytes,
        CommandBudget.ROWS_MAX,
        REQUEST_BYTES_MAX,
        SESSIONS_MAX,
        SESSION_BYTES_MAX,
        MessageId.SLOT_END,
        MessageId.SEQ_END - COMMAND_SEQS_MAX);
  }

  LogicLimits commandRowsMax(int rows) {
    return ending(rows, slotEnd, seqEnd);
  }

  LogicLimits slotEnd(int end) {
    return ending(commandRowsMax, end, seqEnd);
  }

  LogicLimits seqEnd(long end) {
    return ending(commandRowsMax, slotEnd, end);
  }

  private LogicLimits ending(int rows, int slot, long seq) {
    return new LogicLimits(
        queuesMax,
        partitionsMax,
        groupsMax,
        retainedBytesMax,
        tailCacheBytes,
        rows,
        requestBytesMax,
        sessionsMax,
        sessionBytesMax,
        slot,
        seq);
  }

  /** The same limits with these of remembered answers. */
  LogicLimits remembered(long requestBytes, int sessions, long sessionBytes) {
    return new LogicLimits(
        queuesMax,
        partitionsMax,
        groupsMax,
        retainedBytesMax,
        tailCacheBytes,
        commandRowsMax,
        requestBytes,
        sessions,
        sessionBytes,
        slotEnd,
        seqEnd);
  }

  /** However few partitions there may be, there may be so many leases. */
  private static final long LEASES_MIN = 1_000;

  /** Most leases that live at a time. */
  long leasesMax() {
    return Math.max(LEASES_MIN, partitionsMax / 2);
  }

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

  /** Most bytes of the answers to request ids. */
  static final long REQUEST_BYTES_MAX = 2L << 30;

  /** A producer session is dropped when it was not used for this long. */
  static final long SESSION_MS = 7L * 24 * 3600 * 1000;

  /** Most producer sessions. */
  static final int SESSIONS_MAX = 100_000;

  /** Most bytes of the answers of all sessions. */
  static final long SESSION_BYTES_MAX = 256L << 20;

  /** Most sessions that one request drops because the answers of all take too many bytes. */
  static final int SESSION_DROPS_MAX = 100;
}
