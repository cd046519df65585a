package io.holdfast.engine.logic;

import io.holdfast.engine.command.Command.Tick.SweepFrom;
import org.jspecify.annotations.Nullable;

/**
 * Finds where the next sweep has something to do, going round over the partitions, a bounded number
 * of them at a time. How far it has come is not part of the state: sweeps say where they begin.
 */
final class SweepSearch {
  private int queue;
  private String partition = "";

  /** Where a sweep has to begin; null if there is nothing to do for one as far as it looked. */
  @Nullable SweepFrom next(Turn look) {
    ShardState state = look.state();
    Sweep sweep = new Sweep(look);
    Partition next = state.partitionAfter(queue, partition);
    for (int left = LogicLimits.SWEEP_PARTITIONS_MAX; left > 0 && next != null; left--) {
      SweepFrom before = new SweepFrom(queue, partition);
      // Also if a sweep is needed: it may change nothing, and the others must not wait for that.
      queue = next.queue.number;
      partition = next.name;
      if (sweep.isNeeded(next)) {
        return before;
      }
      next = state.partitionAfter(queue, partition);
    }
    if (next == null) {
      queue = 0;
      partition = "";
    }
    return state.hasUpkeep(look.nowMs()) || DeadLetterHandler.hasExpired(look)
        ? new SweepFrom(queue, partition)
        : null;
  }
}
