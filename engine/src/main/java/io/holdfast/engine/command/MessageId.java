package io.holdfast.engine.command;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The id of a message as a UUIDv7 whose free 74 bits are its partition (34) and its seq (40), so
 * that finding a message by its id needs no index.
 */
public record MessageId(long createdMs, long partition, long seq) {
  /** One past the greatest number of a partition. */
  public static final long PARTITION_END = 1L << 34;

  /** One past the greatest seq of a partition. */
  public static final long SEQ_END = 1L << 40;

  private static final int UUID_CHARS = 36;
  private static final int VERSION_AT = 14;
  private static final int PARTITION_LOW_BITS = 22;
  private static final int SEQ_BITS = 40;
  private static final long VERSION = 7L << 12;
  private static final long VARIANT = 0b10L << 62;

  public UUID uuid() {
    return uuid(createdMs, partition, seq);
  }

  public static UUID uuid(long createdMs, long partition, long seq) {
    long high = (createdMs << 16) | VERSION | (partition >>> PARTITION_LOW_BITS);
    long low = VARIANT | ((partition & ((1L << PARTITION_LOW_BITS) - 1)) << SEQ_BITS) | seq;
    return new UUID(high, low);
  }

  /** What a text says if it is a UUID as {@link UUID#toString} writes it; else null. */
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

  /** What an id says; any UUID says something, so check that it is true. */
  public static MessageId of(UUID id) {
    long high = id.getMostSignificantBits();
    long low = id.getLeastSignificantBits() & ~(0b11L << 62);
    long partition = ((high & 0xfff) << PARTITION_LOW_BITS) | (low >>> SEQ_BITS);
    return new MessageId(high >>> 16, partition, low & (SEQ_END - 1));
  }
}
