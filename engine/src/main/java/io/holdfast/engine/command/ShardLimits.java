package io.holdfast.engine.command;

/**
 * The limits that the rules of a shard apply. They are part of its state, so that all replicas
 * apply the same; the configuration of a node only proposes them.
 *
 * @param queuesMax most queues
 * @param partitionsMax most partitions, and most subscriptions
 * @param groupsMax most groups of one queue
 * @param retainedBytesMax settled messages are kept for their retention, but only up to this
 * @param commandRowsMax most rows that the loops of one command read and write
 * @param requestBytesMax beyond this many bytes of remembered answers, new request ids are refused
 * @param sessionsMax most producer sessions; the least recently used one is dropped for another
 * @param sessionBytesMax most bytes of the answers of all sessions
 * @param slotEnd one past the greatest slot of a partition; tests lower it
 * @param seqEnd where a partition takes no more messages; tests lower it
 */
public record ShardLimits(
    int queuesMax,
    long partitionsMax,
    int groupsMax,
    long retainedBytesMax,
    int commandRowsMax,
    long requestBytesMax,
    int sessionsMax,
    long sessionBytesMax,
    int slotEnd,
    long seqEnd) {
  /** Most rows that the loops of one command read and write, unless tests lower it. */
  public static final int COMMAND_ROWS_MAX = 1_000;

  private static final long REQUEST_BYTES_MAX = 2L << 30;
  private static final int SESSIONS_MAX = 100_000;
  private static final long SESSION_BYTES_MAX = 256L << 20;

  /** Each chunk is checked by itself, and no command has chunks for more seqs than this. */
  private static final long COMMAND_SEQS_MAX = 1L << 32;

  /** However few partitions there may be, there may be so many leases. */
  private static final long LEASES_MIN = 1_000;

  /** The limits of a shard whose limits have not been set. */
  public static final ShardLimits DEFAULTS = of(100_000, 10_000_000, 1_000, 1L << 30);

  /** Limits with all the slots and seqs that message ids have room for. */
  public static ShardLimits of(
      int queuesMax, long partitionsMax, int groupsMax, long retainedBytesMax) {
    return new ShardLimits(
        queuesMax,
        partitionsMax,
        groupsMax,
        retainedBytesMax,
        COMMAND_ROWS_MAX,
        REQUEST_BYTES_MAX,
        SESSIONS_MAX,
        SESSION_BYTES_MAX,
        MessageId.SLOT_END,
        MessageId.SEQ_END - COMMAND_SEQS_MAX);
  }

  /** Most leases that live at a time. */
  public long leasesMax() {
    return Math.max(LEASES_MIN, partitionsMax / 2);
  }

  public ShardLimits commandRowsMax(int rows) {
    return ending(rows, slotEnd, seqEnd);
  }

  public ShardLimits slotEnd(int end) {
    return ending(commandRowsMax, end, seqEnd);
  }

  public ShardLimits seqEnd(long end) {
    return ending(commandRowsMax, slotEnd, end);
  }

  private ShardLimits ending(int rows, int slot, long seq) {
    return new ShardLimits(
        queuesMax,
        partitionsMax,
        groupsMax,
        retainedBytesMax,
        rows,
        requestBytesMax,
        sessionsMax,
        sessionBytesMax,
        slot,
        seq);
  }

  /** The same limits with these of remembered answers. */
  public ShardLimits remembered(long requestBytes, int sessions, long sessionBytes) {
    return new ShardLimits(
        queuesMax,
        partitionsMax,
        groupsMax,
        retainedBytesMax,
        commandRowsMax,
        requestBytes,
        sessions,
        sessionBytes,
        slotEnd,
        seqEnd);
  }

  public ByteWriter write(ByteWriter out) {
    return out.varint(queuesMax)
        .varint(partitionsMax)
        .varint(groupsMax)
        .varint(retainedBytesMax)
        .varint(commandRowsMax)
        .varint(requestBytesMax)
        .varint(sessionsMax)
        .varint(sessionBytesMax)
        .varint(slotEnd)
        .varint(seqEnd);
  }

  public static ShardLimits read(ByteReader in) {
    return new ShardLimits(
        in.count(),
        in.varint(),
        in.count(),
        in.varint(),
        in.count(),
        in.varint(),
        in.count(),
        in.varint(),
        in.count(),
        in.varint());
  }
}
