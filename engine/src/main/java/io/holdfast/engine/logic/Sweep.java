package io.holdfast.engine.logic;

import io.holdfast.engine.command.Chunk;
import io.holdfast.engine.command.Command.Tick.SweepFrom;
import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Tables;
import java.util.ArrayList;
import java.util.List;

/**
 * Goes over partitions, a bounded number of them in each tick: what waited too long is buried, what
 * is kept no longer is trimmed, and what holds nothing is dropped.
 */
final class Sweep {
  /** A partition without anything is dropped when its last push is this long ago. */
  private static final long IDLE_MS = 60_000;

  /** The next sweep comes soon if one of so many partitions had something to do. */
  private static final int BUSY_DIVISOR = 50;

  private final Turn turn;
  private final Trim trim;
  private final CommandBudget.Loop visits;
  private final CommandBudget.Loop aging;

  Sweep(Turn turn) {
    this.turn = turn;
    this.trim = new Trim(turn);
    this.visits = turn.budget().loop();
    this.aging = turn.budget().loop();
  }

  /** Sweeps until the budget is spent; answers whether there is probably more to do. */
  static boolean run(Turn turn, SweepFrom from) {
    Expiry.forget(turn);
    turn.state().dropDeleted();
    boolean ended = Expiry.endOrphans(turn);
    boolean refreshed = SubscriptionRefresh.all(turn);
    DeadLetterHandler.trim(turn);
    boolean more = new Sweep(turn).partitions(from);
    return !ended || !refreshed || more || turn.budget().isSpent();
  }

  /**
   * Sweeps a bounded number of partitions, queue by queue; answers whether so many of them had
   * something to do that the others should not wait.
   */
  private boolean partitions(SweepFrom from) {
    int visited = 0;
    int busy = 0;
    Partition next = turn.state().partitionAfter(from.queue(), from.partition());
    while (next != null && visited < LogicLimits.SWEEP_PARTITIONS_MAX && visits.mayContinue()) {
      visited++;
      busy += sweepAndTell(next) ? 1 : 0;
      next = turn.state().partitionAfter(next.queue.number, next.name);
    }
    return busy > 0 && busy * BUSY_DIVISOR >= visited;
  }

  /**
   * Whether a sweep now would change a partition. It may be wrong where a look at each message
   * would be needed to decide; then a sweep does nothing.
   */
  boolean isNeeded(Partition partition) {
    if (!partition.isCurrent() || isAbandoned(partition)) {
      return true;
    }
    for (Lane lane : partition.lanes) {
      if (lane.isEmpty() ? partition.lanes.size() > 1 : hasOldWaiting(partition, lane)) {
        return true;
      }
    }
    return trim.isNeeded(partition);
  }

  private boolean hasOldWaiting(Partition partition, Lane lane) {
    return mayBeOld(lane, partition.queue.rules)
        && partition.subscriptions.stream()
            .anyMatch(subscription -> subscription.nextSeq(lane) < lane.endSeq);
  }

  /** Whether the first message of a lane is too old to be delivered. */
  private boolean mayBeOld(Lane lane, Rules rules) {
    return rules.droppedAtMs(lane.firstMs) <= turn.nowMs();
  }

  /** Whether a partition holds nothing, and has not been pushed to for long. */
  private boolean isAbandoned(Partition partition) {
    return partition.holdsNothing() && partition.lastPushMs + IDLE_MS <= turn.nowMs();
  }

  /** Sweeps a partition; answers whether there was something to do. */
  private boolean sweepAndTell(Partition partition) {
    int before = turn.tx().writes();
    sweep(partition);
    return turn.tx().writes() > before;
  }

  private void sweep(Partition partition) {
    SubscriptionRefresh.refresh(turn, partition);
    Rules rules = partition.queue.rules;
    if (rules.maxWaitMs > 0 || rules.droppedAfterMs > 0) {
      for (Subscription subscription : partition.subscriptions) {
        for (Lane lane : partition.lanes) {
          age(subscription, lane, rules);
        }
        Settlement.place(turn, subscription);
      }
    }
    trim.partition(partition);
    dropLanes(partition);
    if (isAbandoned(partition)) {
      drop(partition);
    }
  }

  /** Steps over, or buries, what is too old at the head of a lane. */
  private void age(Subscription subscription, Lane lane, Rules rules) {
    if (!mayBeOld(lane, rules)) {
      return;
    }
    LaneCursor cursor = subscription.cursor(lane);
    long nowMs = turn.nowMs();
    while (cursor.nextSeq < lane.endSeq && aging.mayContinue()) {
      Chunk chunk = LaneLog.at(turn, subscription.partition, lane, cursor.nextSeq, 0);
      if (chunk == null) {
        return;
      }
      turn.budget().spend(1, chunk.bytes().length);
      if (rules.isDropped(chunk.enteredMs(), nowMs)) {
        Cursors.pass(turn, subscription, lane, cursor, chunk);
      } else if (rules.waitedTooLong(chunk.enteredMs(), nowMs)) {
        bury(subscription, lane, cursor, chunk);
      } else {
        return;
      }
    }
  }

  private void bury(Subscription subscription, Lane lane, LaneCursor cursor, Chunk chunk) {
    long seq = Math.max(cursor.nextSeq, chunk.firstSeq());
    int offset = chunk.offsetOf(seq);
    do {
      if (lane.isHole(seq)) {
        cursor.holesAhead--;
      } else if (cursor.returned(seq) == null) {
        subscription.group.waiting--;
        DeadLetters.buryUnread(turn, subscription, lane.number, seq, chunk, offset);
      }
      seq++;
      offset = chunk.after(offset);
    } while (seq < chunk.endSeq() && aging.mayContinue());
    Cursors.moveTo(cursor, chunk, seq, offset);
    turn.state().touch(subscription);
    turn.state().recount(subscription.partition);
  }

  /** Lets go of lanes that hold nothing, so that others may take their place. */
  private void dropLanes(Partition partition) {
    if (partition.lanes.size() < 2) {
      return;
    }
    for (Lane lane : partition.lanes) {
      if (lane.isEmpty() && partition.lanes.size() > 1 && isUnused(partition, lane)) {
        partition.remove(lane);
        turn.state().touch(partition);
        for (Subscription subscription : partition.subscriptions) {
          subscription.removeCursor(lane.number);
          turn.tx()
              .delete(
                  Tables.cursor(
                      partition.queue.number,
                      subscription.group.number,
                      partition.number,
                      lane.number));
          // Its turn is kept in the rows of the lanes that are left.
          turn.state().touch(subscription);
        }
      }
    }
  }

  private static boolean isUnused(Partition partition, Lane lane) {
    for (Subscription subscription : partition.subscriptions) {
      LaneCursor cursor = subscription.cursor(lane);
      if ((cursor.returned != null && !cursor.returned.isEmpty())
          || subscription.lowestHeld(lane) != Long.MAX_VALUE) {
        return false;
      }
    }
    return true;
  }

  /** Deletes what rows a partition has left in a table; most have none. */
  private void forget(byte table, Partition partition) {
    byte[] from = Tables.ofPartition(table, partition.queue.number, partition.number);
    byte[] to = Tables.after(from);
    List<byte[]> keys = new ArrayList<>();
    try (Rows rows = turn.tx().scan(from, to)) {
      while (rows.next() && keys.size() <= LogicLimits.TRIM_POINTS_MAX) {
        keys.add(rows.key());
      }
    }
    if (keys.size() > LogicLimits.TRIM_POINTS_MAX) {
      turn.tx().deleteRange(from, to);
    } else {
      keys.forEach(turn.tx()::delete);
    }
  }

  private void drop(Partition partition) {
    int queue = partition.queue.number;
    for (Subscription subscription : partition.subscriptions) {
      subscription.group.takeOut(subscription);
      for (Lane lane : partition.lanes) {
        turn.tx()
            .delete(Tables.cursor(queue, subscription.group.number, partition.number, lane.number));
      }
    }
    for (Lane lane : partition.lanes) {
      partition.queue.droppedMs = Math.max(partition.queue.droppedMs, lane.lastEnteredMs);
    }
    turn.state().touch(partition.queue);
    turn.state().remove(partition);
    turn.tx().delete(Tables.partition(queue, partition.number));
    if (partition.indexed) {
      forget(Tables.NAMES, partition);
      forget(Tables.MOVED, partition);
    }
  }
}
