package io.holdfast.api;

/**
 * The broker as a whole, now and since it was opened.
 *
 * @param durability what an answer promises: {@code fsync} or {@code os}
 * @param retainedBytes settled messages that are kept
 * @param mailboxDepth commands that wait
 * @param batches writes, and how many of them were fsynced
 * @param syncNanos time spent in them
 * @param clockAheadMs how far the broker's time is ahead of the system clock; negative if it is
 *     behind
 */
public record Stats(
    String durability,
    long openedMs,
    long nowMs,
    long appliedIndex,
    int queues,
    long partitions,
    int groups,
    int leases,
    long delayed,
    long dead,
    long storedBytes,
    long retainedBytes,
    int mailboxDepth,
    int parkedPops,
    Totals totals,
    long batches,
    long synced,
    long syncNanos,
    long clockAheadMs) {
  /** What happened since the broker was opened. */
  public record Totals(
      long pushed,
      long duplicates,
      long delivered,
      long acked,
      long nacked,
      long released,
      long expired,
      long retried,
      long dead,
      long dropped,
      long cancelled,
      long unknownSettles,
      long trimmed) {}
}
