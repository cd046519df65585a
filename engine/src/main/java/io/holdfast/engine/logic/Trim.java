package io.holdfast.engine.logic;

import io.holdfast.engine.command.Chunk;
import io.holdfast.engine.command.Effect;
import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Tables;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Frees the space of messages that are kept no longer, at chunk borders, oldest first.
 *
 * <p>Nobody notices: what is too old is not delivered, trimmed or not.
 */
final class Trim {
  /** Up to so many chunks are looked up one by one. */
  private static final int FEW = 4;

  private final Turn turn;
  private final CommandBudget.Loop lanes;
  private final CommandBudget.Loop chunks;

  Trim(Turn turn) {
    this.turn = turn;
    this.lanes = turn.budget().loop();
    this.chunks = turn.budget().loop();
  }

  /** Trims the lanes of a partition until the budget is spent. */
  void partition(Partition partition) {
    for (int i = partition.lanes.size() - 1; i >= 0; i--) {
      Lane lane = partition.lanes.get(i);
      if (!lane.isEmpty()) {
        long wanted = wantedSeq(partition, lane);
        if (wanted > lane.firstSeq && lanes.mayContinue()) {
          trim(partition, lane, wanted);
        }
      }
    }
  }

  /** Whether a lane of a partition has messages that need not be kept. */
  boolean isNeeded(Partition partition) {
    for (Lane lane : partition.lanes) {
      if (!lane.isEmpty() && wantedSeq(partition, lane) > lane.firstSeq) {
        return true;
      }
    }
    return false;
  }

  private void trim(Partition partition, Lane lane, long wanted) {
    long end = wanted;
    List<byte[]> keys = new ArrayList<>();
    if (lane.hasRowsElsewhere() || wanted - lane.firstSeq <= LogicLimits.TRIM_POINTS_MAX) {
      end = unindex(partition, lane, wanted, keys);
    }
    Chunk next = end >= lane.endSeq ? null : LaneLog.at(turn, partition, lane, end, 0);
    turn.budget().spend(1, next == null ? 0 : next.bytes().length);
    long seq = next == null ? lane.endSeq : next.firstSeq();
    if (seq <= lane.firstSeq) {
      return;
    }
    partition.openCursors();
    delete(partition, lane, seq, keys, end);
    moveTo(partition, lane, seq, next);
  }

  /** The seq before which nothing has to be kept; it need not be the border of a chunk. */
  private long wantedSeq(Partition partition, Lane lane) {
    Rules rules = partition.queue.rules;
    long nowMs = turn.nowMs();
    long settled = partition.subscriptions.isEmpty() ? lane.firstSeq : lane.endSeq;
    long held = lane.endSeq;
    for (Subscription subscription : partition.subscriptions) {
      settled = Math.min(settled, subscription.lowestUnsettled(lane));
      held = Math.min(held, subscription.lowestHeld(lane));
    }
    long wanted = Math.min(held, lane.purgedSeq);
    if (settled > lane.firstSeq) {
      boolean crowded = turn.state().retainedBytes > turn.state().limits().retainedBytesMax();
      long aged = crowded ? settled : olderThan(partition, lane, nowMs - rules.completedMs);
      wanted = Math.max(wanted, Math.min(settled, aged));
    }
    if (rules.droppedAfterMs > 0) {
      long aged = olderThan(partition, lane, nowMs - rules.droppedAfterMs);
      wanted = Math.max(wanted, Math.min(held, aged));
    }
    return wanted;
  }

  /** The seq of the first message that entered after a time. */
  private long olderThan(Partition partition, Lane lane, long ms) {
    if (lane.firstMs > ms) {
      return lane.firstSeq;
    }
    if (lane.lastEnteredMs <= ms) {
      return lane.endSeq;
    }
    turn.budget().spend(LaneLog.searchSteps(lane), 0);
    Chunk chunk = LaneLog.enteredFrom(turn.tx(), partition, lane, ms + 1);
    return chunk == null ? lane.endSeq : chunk.firstSeq();
  }

  /**
   * Removes the rows elsewhere of messages that go, chunk by chunk, until the budget is spent.
   *
   * @param keys the keys of the chunks that go are added
   * @return the seq up to which that was done
   */
  private long unindex(Partition partition, Lane lane, long wanted, List<byte[]> keys) {
    List<Chunk> few = few(partition, lane, wanted);
    if (!few.isEmpty()) {
      few.forEach(chunk -> unindex(partition, lane, chunk, keys));
      return wanted;
    }
    long done = lane.firstSeq;
    try (Rows rows = turn.tx().scan(key(partition, lane, done), key(partition, lane, wanted))) {
      while (rows.next()) {
        Chunk chunk = new Chunk(Tables.lastSeq(rows.key()), rows.value());
        if (chunk.endSeq() > wanted) {
          break;
        }
        if (!chunks.mayContinue()) {
          return done;
        }
        done = unindex(partition, lane, chunk, keys);
      }
    }
    return wanted;
  }

  private static byte[] key(Partition partition, Lane lane, long seq) {
    return Tables.message(partition.queue.number, partition.number, lane.number, seq);
  }

  /**
   * The chunks before a seq, if they are few, all go, and each begins where the one before it ends:
   * to look them up one by one costs less than a walk. Else none.
   */
  private List<Chunk> few(Partition partition, Lane lane, long wanted) {
    List<Chunk> few = new ArrayList<>();
    long seq = lane.firstSeq;
    while (seq < wanted && few.size() < FEW) {
      Chunk chunk = beginningAt(partition, lane, seq);
      if (chunk == null) {
        return List.of();
      }
      few.add(chunk);
      seq = chunk.endSeq();
    }
    return seq == wanted ? few : List.of();
  }

  private @Nullable Chunk beginningAt(Partition partition, Lane lane, long seq) {
    Chunk known = turn.state().cache.get(partition.number, lane.number, seq);
    if (known != null) {
      return known;
    }
    byte[] row = turn.tx().get(key(partition, lane, seq));
    return row == null ? null : new Chunk(seq, row);
  }

  private long unindex(Partition partition, Lane lane, Chunk chunk, List<byte[]> keys) {
    keys.add(key(partition, lane, chunk.firstSeq()));
    turn.budget().spend(1, chunk.bytes().length);
    if (lane.hasRowsElsewhere()) {
      unindex(partition, lane, chunk);
    }
    return chunk.endSeq();
  }

  private void unindex(Partition partition, Lane lane, Chunk chunk) {
    int offset = Chunk.HEADER_BYTES;
    for (long seq = chunk.firstSeq(); seq < chunk.endSeq(); seq++) {
      boolean hole = lane.isHole(seq);
      byte[] name = chunk.name(offset);
      if (name != null || chunk.isMoved(offset)) {
        lane.indexed--;
      }
      if (chunk.isMoved(offset) && !hole) {
        turn.tx()
            .delete(
                Tables.moved(partition.queue.number, partition.number, chunk.idSeq(seq, offset)));
      }
      if (name != null && !hole) {
        Names.forget(turn, partition, name, chunk.createdMs(offset), chunk.idSeq(seq, offset), seq);
      }
      if (lane.tracked && !hole) {
        Tasks.lost(turn, partition, chunk.idSeq(seq, offset));
      }
      offset = chunk.after(offset);
    }
  }

  private void delete(Partition partition, Lane lane, long seq, List<byte[]> keys, long known) {
    int queue = partition.queue.number;
    byte[] from = Tables.message(queue, partition.number, lane.number, lane.firstSeq);
    byte[] to = Tables.message(queue, partition.number, lane.number, seq);
    if (known >= seq && !keys.isEmpty() && keys.size() <= LogicLimits.TRIM_POINTS_MAX) {
      keys.forEach(turn.tx()::delete);
    } else {
      turn.tx().deleteRange(from, to);
      turn.effects().add(new Effect.ReclaimSpace(from, to));
    }
    if (lane.holes != null) {
      var holes = lane.holes.headSet(seq, false);
      for (long hole : holes) {
        turn.tx().delete(Tables.hole(queue, partition.number, lane.number, hole));
      }
      holes.clear();
    }
  }

  private void moveTo(Partition partition, Lane lane, long seq, @Nullable Chunk next) {
    long trimmed = next == null ? lane.entered : next.ordinal();
    long bytes = next == null ? lane.enteredBytes : next.bytesBefore();
    long count = trimmed - lane.trimmed;
    long freed = bytes - lane.trimmedBytes;
    lane.firstSeq = seq;
    lane.trimmed = trimmed;
    lane.trimmedBytes = bytes;
    lane.firstMs = next == null ? 0 : next.enteredMs();
    partition.queue.stored -= count;
    partition.queue.storedBytes -= freed;
    turn.state().storedBytes -= freed;
    turn.totals().trimmed += count;
    turn.state().touch(partition);
    for (Subscription subscription : partition.subscriptions) {
      Cursors.catchUp(turn, subscription, lane);
      Cursors.forgetReturned(turn, subscription, lane, seq);
      subscription.group.place(subscription);
    }
    turn.state().recount(partition);
  }
}
