package io.holdfast.engine.logic;

import io.holdfast.api.lease.Settle;
import io.holdfast.engine.command.Chunk;
import org.jspecify.annotations.Nullable;

/**
 * How many bytes of messages one request makes dead letters. A dead letter is a copy, so without a
 * limit a request could make a batch that no memory holds.
 */
final class DeadBytes {
  /** As much as a request may push. */
  static final long BYTES_MAX = 16L << 20;

  static final String TOO_MUCH =
      "the request would make dead letters of more than "
          + (BYTES_MAX >> 20)
          + " MiB; settle fewer messages with each request";

  private final Turn turn;
  private long bytes;

  DeadBytes(Turn turn) {
    this.turn = turn;
  }

  boolean isTooMuch() {
    return bytes > BYTES_MAX;
  }

  /** Counts a message that is about to be settled, if it dies of that. */
  void add(Settle.Outcome outcome, Subscription subscription, int lane, long seq) {
    if (!isTooMuch() && dies(outcome, subscription, lane, seq)) {
      bytes += size(subscription, lane, seq);
    }
  }

  /** Counts the open messages of a lease likewise. */
  void addAll(Settle.Outcome outcome, Lease lease) {
    if (outcome == Settle.Outcome.ACK || outcome == Settle.Outcome.RELEASE) {
      return;
    }
    for (Slice slice : lease.slices) {
      for (int i = 0; i < slice.items.size() && !isTooMuch(); i++) {
        if (slice.items.status(i) == Items.OPEN) {
          add(outcome, slice.subscription, slice.items.lane(i), slice.items.seq(i));
        }
      }
    }
  }

  /** What was counted after a moment does not happen. */
  void backTo(long before) {
    bytes = before;
  }

  long bytes() {
    return bytes;
  }

  private static boolean dies(
      Settle.Outcome outcome, Subscription subscription, int lane, long seq) {
    Rules rules = subscription.partition.queue.rules;
    return rules.keepsDead
        && switch (outcome) {
          case ACK, RELEASE -> false;
          case KILL -> true;
          case NACK -> {
            Returned returned = returned(subscription, lane, seq);
            yield (returned == null ? 0 : returned.failures) + 1 > rules.retryLimit;
          }
        };
  }

  private static @Nullable Returned returned(Subscription subscription, int lane, long seq) {
    LaneCursor cursor = subscription.cursor(lane);
    return cursor == null ? null : cursor.returned(seq);
  }

  private long size(Subscription subscription, int lane, long seq) {
    Returned returned = returned(subscription, lane, seq);
    Partition partition = subscription.partition;
    Lane log = partition.lane(lane);
    Chunk chunk =
        returned != null && returned.isRequeued()
            ? subscription.requeued(turn.tx(), lane, seq)
            : log == null ? null : LaneLog.holding(turn.tx(), partition, log, seq);
    if (chunk == null) {
      return 0;
    }
    int offset = chunk.offsetOf(seq);
    return chunk.after(offset) - (long) offset;
  }
}
