package io.holdfast.workflow.worker;

import io.holdfast.workflow.replay.Execution;
import io.holdfast.workflow.store.FlowRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The executions that wait in memory for their next turn; those used longest ago go first.
 *
 * <p>One that is not here is made again from its history. One that is here may be behind, if
 * another worker had a turn: then its next commit is refused.
 *
 * <p>Thread: any.
 */
final class Sticky {
  /** An execution that waits, and the record of its flow as of then. */
  record Kept(FlowRecord flow, Execution execution) {
    long bytes() {
      return THREAD_BYTES + execution.bytes();
    }
  }

  /** Roughly what a waiting thread takes, with what hangs on it. */
  private static final long THREAD_BYTES = 4_096;

  /** A turn that is ending waits for one answer of the broker at most. */
  private static final long ENDING_MS_MAX = 200;

  private final Set<String> turning = new HashSet<>();
  private final int countMax;
  private final long bytesMax;
  private final SequencedMap<String, Kept> kept = new LinkedHashMap<>();
  private long bytes;

  Sticky(int countMax, long bytesMax) {
    this.countMax = countMax;
    this.bytesMax = bytesMax;
  }

  /**
   * A turn of a flow begins: waits for one that is ending here, for then its execution is there.
   *
   * <p>Not for long: a turn that goes on after its lease was lost must not hold up the flow.
   */
  synchronized void begin(String id) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ENDING_MS_MAX);
    long leftMs = ENDING_MS_MAX;
    while (turning.contains(id) && leftMs > 0) {
      wait(leftMs);
      leftMs = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
    }
    turning.add(id);
  }

  synchronized void end(String id) {
    turning.remove(id);
    notifyAll();
  }

  synchronized @Nullable Kept take(String id) {
    Kept found = kept.remove(id);
    if (found != null) {
      bytes -= found.bytes();
    }
    return found;
  }

  void keep(String id, Kept execution) {
    List<Kept> gone = new ArrayList<>();
    synchronized (this) {
      Kept old = kept.putLast(id, execution);
      if (old != null) {
        bytes -= old.bytes();
        gone.add(old);
      }
      bytes += execution.bytes();
      while (!kept.isEmpty() && (kept.size() > countMax || bytes > bytesMax)) {
        Kept oldest = kept.pollFirstEntry().getValue();
        bytes -= oldest.bytes();
        gone.add(oldest);
      }
    }
    gone.forEach(one -> one.execution().giveUp());
  }

  synchronized int size() {
    return kept.size();
  }

  void clear() {
    List<Kept> gone;
    synchronized (this) {
      gone = List.copyOf(kept.values());
      kept.clear();
      bytes = 0;
    }
    gone.forEach(one -> one.execution().giveUp());
  }
}
