package io.holdfast.workflow;

import io.holdfast.api.TimeSource;
import java.time.Duration;
import java.util.UUID;

/**
 * How flows are kept and run.
 *
 * @param prefix the beginning of the names of all queues, journals and records of these flows
 * @param worker the name of this worker, as the broker shows it. Each worker needs its own: the
 *     turns of a flow go to the worker of the name that had the last one
 * @param turnSlots most flows that run at a time
 * @param workSlots most activities of each tag that are done at a time
 * @param turnLeaseMs how long a flow stays with a worker that has died
 * @param workLeaseMs how long an activity stays with a worker that has died
 * @param waitMs how long a fetch waits for something to do before it asks again
 * @param keptMax most flows that wait in memory; others are made again from their history
 * @param keptBytesMax roughly the most bytes that they take
 * @param poisonAfter so many workers may die of a flow's turn or an activity before it is blocked
 * @param executionsKept how many executions of a flow keep their history
 * @param retentionMs how long a flow is kept after its end; 0 for ever
 */
public record FlowsConfig(
    String prefix,
    String worker,
    int turnSlots,
    int workSlots,
    long turnLeaseMs,
    long workLeaseMs,
    long waitMs,
    int keptMax,
    long keptBytesMax,
    int poisonAfter,
    int executionsKept,
    long retentionMs,
    Payloads payloads,
    TimeSource time) {
  /** How the names of queues, journals and records begin, unless something else is said. */
  public static final String PREFIX = "flows";

  private static final int SLOTS = 64;
  private static final long LEASE_MS = 30_000;
  private static final int KEPT_MAX = 100_000;
  private static final long KEPT_BYTES_MAX = 512L << 20;

  public FlowsConfig {
    Names.checked("prefix", prefix);
    Names.checked("worker", worker);
    positive("turnSlots", turnSlots);
    positive("workSlots", workSlots);
    positive("turnLeaseMs", turnLeaseMs);
    positive("workLeaseMs", workLeaseMs);
    positive("waitMs", waitMs);
    positive("poisonAfter", poisonAfter);
    positive("executionsKept", executionsKept);
  }

  private static void positive(String field, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(field + ": expected 1 or more, but got " + value);
    }
  }

  public static FlowsConfig defaults() {
    return new FlowsConfig(
        PREFIX,
        newWorkerName(),
        SLOTS,
        SLOTS,
        LEASE_MS,
        LEASE_MS,
        LEASE_MS,
        KEPT_MAX,
        Math.min(KEPT_BYTES_MAX, Runtime.getRuntime().maxMemory() / 4),
        10,
        5,
        0,
        Payloads.json(),
        TimeSource.SYSTEM);
  }

  /** The process id alone is the same in many containers. */
  private static String newWorkerName() {
    return "worker-"
        + ProcessHandle.current().pid()
        + "-"
        + UUID.randomUUID().toString().substring(0, 8);
  }

  public FlowsConfig prefix(String name) {
    return new FlowsConfig(
        name,
        worker,
        turnSlots,
        workSlots,
        turnLeaseMs,
        workLeaseMs,
        waitMs,
        keptMax,
        keptBytesMax,
        poisonAfter,
        executionsKept,
        retentionMs,
        payloads,
        time);
  }

  public FlowsConfig worker(String name) {
    return new FlowsConfig(
        prefix,
        name,
        turnSlots,
        workSlots,
        turnLeaseMs,
        workLeaseMs,
        waitMs,
        keptMax,
        keptBytesMax,
        poisonAfter,
        executionsKept,
        retentionMs,
        payloads,
        time);
  }

  /** Most flows, and most activities of each tag, at a time. */
  public FlowsConfig slots(int turns, int work) {
    return new FlowsConfig(
        prefix,
        worker,
        turns,
        work,
        turnLeaseMs,
        workLeaseMs,
        waitMs,
        keptMax,
        keptBytesMax,
        poisonAfter,
        executionsKept,
        retentionMs,
        payloads,
        time);
  }

  public FlowsConfig leases(Duration turns, Duration work) {
    return new FlowsConfig(
        prefix,
        worker,
        turnSlots,
        workSlots,
        turns.toMillis(),
        work.toMillis(),
        waitMs,
        keptMax,
        keptBytesMax,
        poisonAfter,
        executionsKept,
        retentionMs,
        payloads,
        time);
  }

  public FlowsConfig waiting(Duration fetch) {
    return new FlowsConfig(
        prefix,
        worker,
        turnSlots,
        workSlots,
        turnLeaseMs,
        workLeaseMs,
        fetch.toMillis(),
        keptMax,
        keptBytesMax,
        poisonAfter,
        executionsKept,
        retentionMs,
        payloads,
        time);
  }

  /** Most flows that wait in memory, and roughly the bytes they may take. */
  public FlowsConfig kept(int count, long bytes) {
    return new FlowsConfig(
        prefix,
        worker,
        turnSlots,
        workSlots,
        turnLeaseMs,
        workLeaseMs,
        waitMs,
        count,
        bytes,
        poisonAfter,
        executionsKept,
        retentionMs,
        payloads,
        time);
  }

  public FlowsConfig poisonAfter(int deaths) {
    return new FlowsConfig(
        prefix,
        worker,
        turnSlots,
        workSlots,
        turnLeaseMs,
        workLeaseMs,
        waitMs,
        keptMax,
        keptBytesMax,
        deaths,
        executionsKept,
        retentionMs,
        payloads,
        time);
  }

  /** How long a flow is kept after its end, and the history of how many of its executions. */
  public FlowsConfig retention(Duration ended, int executions) {
    return new FlowsConfig(
        prefix,
        worker,
        turnSlots,
        workSlots,
        turnLeaseMs,
        workLeaseMs,
        waitMs,
        keptMax,
        keptBytesMax,
        poisonAfter,
        executions,
        ended.toMillis(),
        payloads,
        time);
  }

  public FlowsConfig payloads(Payloads form) {
    return new FlowsConfig(
        prefix,
        worker,
        turnSlots,
        workSlots,
        turnLeaseMs,
        workLeaseMs,
        waitMs,
        keptMax,
        keptBytesMax,
        poisonAfter,
        executionsKept,
        retentionMs,
        form,
        time);
  }

  public FlowsConfig time(TimeSource clock) {
    return new FlowsConfig(
        prefix,
        worker,
        turnSlots,
        workSlots,
        turnLeaseMs,
        workLeaseMs,
        waitMs,
        keptMax,
        keptBytesMax,
        poisonAfter,
        executionsKept,
        retentionMs,
        payloads,
        clock);
  }
}
