package io.holdfast.engine.logic;

import io.holdfast.engine.command.Chunk;
import org.jspecify.annotations.Nullable;

/**
 * A walk over messages that came back, which finds the bytes of each. They come in order, so it
 * goes on from the chunk and the place of the last.
 */
final class BackWalk {
  private final Turn turn;
  private @Nullable Chunk last;
  private @Nullable Lane lastLane;
  private long lastSeq;
  private int lastOffset;

  BackWalk(Turn turn) {
    this.turn = turn;
  }

  /** The chunk with a message that came back; null if it is gone. */
  @Nullable Chunk chunkOf(Subscription subscription, Lane lane, long seq, Returned returned) {
    if (returned.isRequeued()) {
      return subscription.requeued(turn.tx(), lane.number, seq);
    }
    if (last != null && lastLane == lane && last.covers(seq)) {
      return last;
    }
    Chunk chunk = LaneLog.at(turn, subscription.partition, lane, seq, 0);
    last = chunk;
    lastLane = lane;
    lastSeq = chunk == null ? 0 : chunk.firstSeq();
    lastOffset = Chunk.HEADER_BYTES;
    return chunk != null && chunk.covers(seq) ? chunk : null;
  }

  /** Where a message of a chunk begins. */
  int offsetOf(Chunk chunk, long seq) {
    if (chunk != last || seq < lastSeq) {
      return chunk.offsetOf(seq);
    }
    for (; lastSeq < seq; lastSeq++) {
      lastOffset = chunk.after(lastOffset);
    }
    return lastOffset;
  }
}
