package io.holdfast.engine.logic;

import io.holdfast.engine.command.Chunk;
import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.store.View;
import org.jspecify.annotations.Nullable;

/** The chunks of lanes, found by seq or by time. */
public final class LaneLog {
  private LaneLog() {}

  /** The chunk that holds a seq, or else the first one behind it; null if there is none. */
  static @Nullable Chunk at(Turn turn, Partition partition, Lane lane, long seq, long hintSeq) {
    if (seq >= lane.endSeq) {
      return null;
    }
    if (seq < lane.firstSeq) {
      // The cache may still have what was trimmed, or not: what is found must not depend on it.
      return search(turn.tx(), partition, lane, seq);
    }
    if (hintSeq > 0 && hintSeq != seq) {
      Chunk hinted = load(turn, partition, lane, hintSeq);
      if (hinted != null && hinted.covers(seq)) {
        return hinted;
      }
    }
    Chunk exact = load(turn, partition, lane, seq);
    return exact != null ? exact : search(turn.tx(), partition, lane, seq);
  }

  /** The chunk that holds a seq; null if that seq is not stored in the lane. */
  static @Nullable Chunk holding(View view, Partition partition, Lane lane, long seq) {
    if (seq < lane.firstSeq || seq < lane.purgedSeq || seq >= lane.endSeq) {
      return null;
    }
    Chunk chunk = search(view, partition, lane, seq);
    return chunk != null && chunk.covers(seq) && !lane.isHole(seq) ? chunk : null;
  }

  private static @Nullable Chunk load(Turn turn, Partition partition, Lane lane, long firstSeq) {
    Chunk cached = turn.state().cache.get(partition.number, lane.number, firstSeq);
    if (cached != null) {
      return cached;
    }
    byte[] key = Tables.message(partition.queue.number, partition.number, lane.number, firstSeq);
    byte[] row = turn.tx().get(key);
    if (row == null) {
      return null;
    }
    Chunk chunk = new Chunk(firstSeq, row);
    turn.state().cache.add(partition.number, lane.number, chunk);
    return chunk;
  }

  private static @Nullable Chunk search(View view, Partition partition, Lane lane, long seq) {
    return search(view, range(partition, lane), seq);
  }

  /** The stored part of a lane, as it was when somebody looked. */
  public record Range(int queue, long partition, int lane, long firstSeq, long endSeq) {
    public byte[] key(long seq) {
      return Tables.message(queue, partition, lane, seq);
    }

    /** The part of it from a seq on. */
    public Range from(long seq) {
      return new Range(queue, partition, lane, seq, endSeq);
    }
  }

  /** All that a lane stores now. */
  public static Range range(Partition partition, Lane lane) {
    return new Range(
        partition.queue.number, partition.number, lane.number, lane.firstSeq, lane.endSeq);
  }

  /** The chunk that holds a seq, or else the first one behind it; null if there is none. */
  public static @Nullable Chunk search(View view, Range range, long seq) {
    byte[] next = range.key(seq + 1);
    try (Rows rows = view.scanBack(range.key(range.firstSeq), next)) {
      if (rows.next()) {
        Chunk chunk = new Chunk(Tables.lastSeq(rows.key()), rows.value());
        if (chunk.covers(seq)) {
          return chunk;
        }
      }
    }
    try (Rows rows = view.scan(next, range.key(range.endSeq))) {
      return rows.next() ? new Chunk(Tables.lastSeq(rows.key()), rows.value()) : null;
    }
  }

  /** Most chunks that a search by time reads. */
  static int searchSteps(Lane lane) {
    return Long.SIZE - Long.numberOfLeadingZeros(lane.endSeq - lane.firstSeq);
  }

  /** The first chunk that entered at or after a time; null if all are older. Stamps only grow. */
  static @Nullable Chunk enteredFrom(View view, Partition partition, Lane lane, long fromMs) {
    return enteredFrom(view, range(partition, lane), fromMs);
  }

  public static @Nullable Chunk enteredFrom(View view, Range range, long fromMs) {
    long low = range.firstSeq();
    long high = range.endSeq();
    Chunk found = null;
    while (low < high) {
      long middle = low + (high - low) / 2;
      Chunk chunk = search(view, range, middle);
      if (chunk == null) {
        high = middle;
      } else if (chunk.enteredMs() >= fromMs) {
        found = chunk;
        high = Math.min(middle, chunk.firstSeq());
      } else {
        low = chunk.endSeq();
      }
    }
    return found;
  }
}
