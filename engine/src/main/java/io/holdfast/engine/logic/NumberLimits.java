package io.holdfast.engine.logic;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Refusal;
import org.jspecify.annotations.Nullable;

/** Refusals of commands that would need more queues, partitions or seqs than there may be. */
final class NumberLimits {
  private NumberLimits() {}

  /** Why there cannot be so many more queues, or null. */
  static @Nullable Refusal queues(ShardState state, int more) {
    if (state.queues.size() + more > state.limits().queuesMax()) {
      return Refusal.of(
          ErrorCode.LIMIT, "the broker may have " + state.limits().queuesMax() + " queues");
    }
    return state.hasQueueNumbers(more)
        ? null
        : Refusal.of(
            ErrorCode.LIMIT,
            "the broker has created "
                + Integer.MAX_VALUE
                + " queues, and has no numbers for more; use queues that exist, or start a broker"
                + " with another data directory");
  }

  /** Why there cannot be so many more partitions, or null. */
  static @Nullable Refusal partitions(ShardState state, int more) {
    if (state.partitionCount + more > state.limits().partitionsMax()) {
      return Refusal.of(
          ErrorCode.LIMIT, "the broker may have " + state.limits().partitionsMax() + " partitions");
    }
    return state.partitions.hasNumbers(state.partitionCount + more, state.limits().slotEnd())
        ? null
        : Refusal.of(
            ErrorCode.LIMIT,
            "the broker has no numbers for more partitions; use partitions that exist, or start a"
                + " broker with another data directory");
  }

  /**
   * Why a partition cannot take so many more seqs, or null. Delayed messages have a seq reserved:
   * entering their lane when they are due must not fail.
   */
  static @Nullable Refusal seqs(ShardState state, Partition partition, long more) {
    return partition.nextSeq + partition.delayed + more <= state.limits().seqEnd()
        ? null
        : Refusal.of(
            ErrorCode.LIMIT,
            partition.title()
                + " has used up its sequence numbers (the next one is "
                + partition.nextSeq
                + "); push to another partition. This one starts again at 1 once its messages are"
                + " settled and no longer kept, and it had no push for a minute");
  }
}
