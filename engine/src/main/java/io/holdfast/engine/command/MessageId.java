package io.holdfast.engine.command;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The id of a message: a UUIDv7 whose 74 free bits are the shard (6), the slot of the partition
 * (24) and the seq (44), so that finding a message by its id needs no index row.
 *
 * <p>The slot of a partition is the low 24 bits of its number. Numbers are never reused, slots are,
 * once their partition was dropped: an id belongs to the live partition with its slot only if it
 * was created after that partition, and to a message only if the creation times are equal.
 */
public record MessageId(long createdMs, int shard, int slot, long seq) {
  /** Number of shards that ids have room for. */
  public static final int SHARDS = 64;

  /** One past the greatest slot of a partition; slot 0 is not used. */
  public static final int SLOT_END = 1 << 24;

  /** One past the greatest number of a partition: what keys of rows have room for. */
  public static final long PARTITION_END = 1L << 48;

  /** One past the greatest seq of a partition. */
  public static final long SEQ_END = 1L << 44;

  /** The shard of this store. There is one shard today. */
  public static final int THIS_SHARD = 0;

  private static final int UUID_CHARS = 36;
  private static final int VERSION_AT = 14;
  private static final int SEQ_BITS = 44;

  /** The shard and the high bits of the slot lie beside the version, the rest in the low half. */
  private static final int SLOT_LOW_BITS = 18;

  private static final int SLOT_HIGH_BITS = 6;
  private static final long VERSION = 7L << 12;
  private static final long VARIANT = 0b10L << 62;

  /** The id of a message of this shard. */
  public static MessageId of(long createdMs, long partition, long seq) {
    return new MessageId(createdMs, THIS_SHARD, slot(partition), seq);
  }

  /** The slot of a partition, by its number. */
  public static int slot(long partition) {
    return (int) (partition & (SLOT_END - 1));
  }

  public UUID uuid() {
    long high =
        (createdMs << 16) | VERSION | ((long) shard << SLOT_HIGH_BITS) | (slot >>> SLOT_LOW_BITS);
    long low = VARIANT | ((slot & ((1L << SLOT_LOW_BITS) - 1)) << SEQ_BITS) | seq;
    return new UUID(high, low);
  }

  public static UUID uuid(long createdMs, long partition, long seq) {
    return of(createdMs, partition, seq).uuid();
  }

  /** The id that a text contains, if it is a UUID as {@link UUID#toString} writes it; else null. */
  public static @Nullable MessageId parse(String text) {
    if (text.length() != UUID_CHARS || text.charAt(VERSION_AT) != '7') {
      return null;
    }
    try {
      UUID id = UUID.fromString(text);
      return id.toString().equals(text) ? of(id) : null;
    } catch (IllegalArgumentException noId) {
      return null;
    }
  }

  /** The fields of an id. Any UUID has some, so compare them with what is stored. */
  public static MessageId of(UUID id) {
    long high = id.getMostSignificantBits();
    long low = id.getLeastSignificantBits() & ~(0b11L << 62);
    int shard = (int) (high >>> SLOT_HIGH_BITS) & (SHARDS - 1);
    int slotHigh = (int) high & ((1 << SLOT_HIGH_BITS) - 1);
    int slot = (slotHigh << SLOT_LOW_BITS) | (int) (low >>> SEQ_BITS);
    return new MessageId(high >>> 16, shard, slot, low & (SEQ_END - 1));
  }
}
