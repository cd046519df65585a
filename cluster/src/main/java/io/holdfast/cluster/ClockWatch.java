package io.holdfast.cluster;

import io.holdfast.api.TimeSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the clock of this node with those of the others. The leader's clock decides when leases
 * end and delayed messages are due; so a node whose clock differs much from those of most nodes
 * must not lead, and one that differs less is corrected: otherwise leases would end early when it
 * begins to lead.
 *
 * <p>Thread: one compares, any asks.
 */
final class ClockWatch {
  private static final Logger LOG = LoggerFactory.getLogger(ClockWatch.class);

  /** A difference that is worth a warning. */
  static final long WARN_MS = 1_000;

  /** A node whose clock differs so much does not lead. */
  static final long LEAD_MS_MAX = 60_000;

  private volatile long offMs;

  /**
   * Compares the clocks.
   *
   * @param othersMs how far the clocks of the nodes that answered are ahead of this one's
   * @param members how many members the cluster has, with this one
   */
  void compare(List<Long> othersMs, int members) {
    List<Long> all = new ArrayList<>(othersMs);
    all.add(0L);
    if (all.size() * 2 <= members || all.size() < 2) {
      return;
    }
    Collections.sort(all);
    // Of two middle ones the nearer to this node: of two nodes nobody knows which is right.
    long low = all.get((all.size() - 1) / 2);
    long high = all.get(all.size() / 2);
    long median = Math.abs(low) < Math.abs(high) ? low : high;
    long before = offMs;
    offMs = -median;
    if (Math.abs(median) >= WARN_MS && Math.abs(before) < WARN_MS) {
      LOG.warn(
          "The clock of this node differs by {} ms from those of most nodes of the cluster. Correct"
              + " it: a node whose clock differs by more than {} s does not lead.",
          -median,
          LEAD_MS_MAX / 1000);
    }
  }

  /** How far this clock is ahead of most others. */
  long offMs() {
    return offMs;
  }

  /** The same clock, set to the time of most nodes if it differs by more than a second. */
  TimeSource corrected(TimeSource time) {
    return new TimeSource() {
      @Override
      public long wallMs() {
        long off = offMs;
        return time.wallMs() - (Math.abs(off) < WARN_MS ? 0 : off);
      }

      @Override
      public long nanos() {
        return time.nanos();
      }

      @Override
      public void parkUntil(long deadlineNanos) {
        time.parkUntil(deadlineNanos);
      }
    };
  }

  boolean mayLead() {
    return Math.abs(offMs) < LEAD_MS_MAX;
  }
}
