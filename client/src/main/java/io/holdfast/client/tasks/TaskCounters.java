package io.holdfast.client.tasks;

import io.holdfast.api.task.TaskStatus;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/**
 * What this process has counted of its tasks.
 *
 * <p>Thread: any.
 */
final class TaskCounters {
  private final LongAdder published = new LongAdder();
  private final LongAdder duplicates = new LongAdder();
  private final LongAdder repeated = new LongAdder();
  private final LongAdder ignored = new LongAdder();
  private final LongAdder unknown = new LongAdder();
  private final LongAdder retries = new LongAdder();
  private final LongAdder ended = new LongAdder();
  private final LongAdder latencies = new LongAdder();
  private final LongAdder latencyMs = new LongAdder();
  private final LongAccumulator latencyMaxMs = new LongAccumulator(Math::max, 0);
  private final Map<TaskStatus, LongAdder> acknowledged = new EnumMap<>(TaskStatus.class);

  TaskCounters() {
    acknowledged.put(TaskStatus.RUNNING, new LongAdder());
    acknowledged.put(TaskStatus.COMPLETE, new LongAdder());
    acknowledged.put(TaskStatus.FAILED, new LongAdder());
  }

  void published(boolean duplicate) {
    (duplicate ? duplicates : published).increment();
  }

  void acked(TaskStatus status, AckVerdict verdict) {
    switch (verdict) {
      case APPLIED -> acknowledged(status).increment();
      case REPEATED -> repeated.increment();
      case IGNORED -> ignored.increment();
      case UNKNOWN -> unknown.increment();
    }
  }

  /** A task is over for one subscriber, after so many retries. */
  void ended(int tries) {
    ended.increment();
    retries.add(tries);
  }

  void firstAck(long afterMs) {
    latencies.increment();
    latencyMs.add(afterMs);
    latencyMaxMs.accumulate(afterMs);
  }

  private LongAdder acknowledged(TaskStatus status) {
    LongAdder adder = acknowledged.get(status);
    if (adder == null) {
      throw new IllegalArgumentException("status: expected one that an ack can have: " + status);
    }
    return adder;
  }

  TaskMetrics snapshot(long inRetryQueue, long inDlq) {
    Map<TaskStatus, Long> acks = new EnumMap<>(TaskStatus.class);
    acknowledged.forEach((status, count) -> acks.put(status, count.sum()));
    return new TaskMetrics(
        published.sum(),
        duplicates.sum(),
        acks,
        repeated.sum(),
        ignored.sum(),
        unknown.sum(),
        inRetryQueue,
        inDlq,
        ended.sum(),
        retries.sum(),
        latencies.sum(),
        latencyMs.sum(),
        latencyMaxMs.get());
  }
}
