package io.holdfast.engine.logic;

import io.holdfast.engine.command.MessageId;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of a shard, and the numbers of those to come.
 *
 * <p>Numbers count up and are never reused. The slot of a number, its low bits, is all that message
 * ids have room for; a number whose slot a live partition has is left out.
 */
final class LivePartitions {
  /** One command makes fewer partitions than there are slots, and each may leave a round out. */
  private static final long COMMAND_NUMBERS_MAX = 2L * MessageId.SLOT_END;

  private final Map<Integer, Partition> bySlot = new HashMap<>();

  /** The slots of partitions in memory, so that a free one is found without a walk over them. */
  private final BitSet used = new BitSet();

  /** No partition has this number or a greater one. */
  long next = 1;

  /** All partitions in memory, those of deleted queues too. */
  Collection<Partition> values() {
    return bySlot.values();
  }

  @Nullable Partition get(long number) {
    Partition partition = bySlot.get(MessageId.slot(number));
    return partition != null && partition.number == number ? partition : null;
  }

  /** The partition that an id belongs to, unless that was dropped or is another shard's. */
  @Nullable Partition get(MessageId id) {
    Partition partition = bySlot.get(id.slot());
    boolean same =
        partition != null
            && id.shard() == MessageId.THIS_SHARD
            && id.createdMs() >= partition.createdMs;
    return same ? partition : null;
  }

  boolean contains(Partition partition) {
    return bySlot.get(MessageId.slot(partition.number)) == partition;
  }

  void add(Partition partition) {
    bySlot.put(MessageId.slot(partition.number), partition);
    used.set(MessageId.slot(partition.number));
  }

  void remove(Partition partition) {
    if (contains(partition)) {
      bySlot.remove(MessageId.slot(partition.number));
      used.clear(MessageId.slot(partition.number));
    }
  }

  /** Whether there are numbers for new partitions until so many are live. */
  boolean hasNumbers(long live, int slotEnd) {
    return live < slotEnd && next < MessageId.PARTITION_END - COMMAND_NUMBERS_MAX;
  }

  /**
   * The number of a new partition: the next one whose slot no live partition has.
   *
   * @param slotEnd one past the greatest slot
   * @param anyDeleted whether partitions of deleted queues may still be in memory
   */
  long takeNumber(int slotEnd, boolean anyDeleted) {
    int slot = freeFrom(Math.max(1, MessageId.slot(next)), anyDeleted);
    long round = next - MessageId.slot(next);
    if (slot >= slotEnd) {
      slot = freeFrom(1, anyDeleted);
      round += MessageId.SLOT_END;
    }
    if (slot >= slotEnd) {
      throw new IllegalStateException("all slots of partitions are in use");
    }
    next = round + slot + 1;
    return round + slot;
  }

  /**
   * The first slot that is free. The slots of a deleted queue are free at once, although its
   * partitions leave the memory in steps: a shard that was reopened has none of them.
   */
  private int freeFrom(int first, boolean anyDeleted) {
    int free = used.nextClearBit(first);
    for (int slot = first; anyDeleted && slot < free; slot++) {
      Partition partition = bySlot.get(slot);
      if (partition != null && partition.queue.deleted) {
        return slot;
      }
    }
    return free;
  }
}
