package io.holdfast.engine;

import io.holdfast.engine.command.MessageId;
import io.holdfast.engine.seal.Keys;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How an embedded broker is set up.
 *
 * @param directory where the data lives; null keeps it in memory, for tests
 * @param payloadBytesMax the largest payload
 * @param requestBytesMax the largest push or commit
 * @param mailboxMax most commands that may wait; pushes are refused at 80 % of it
 * @param mailboxBytesMax most bytes of commands that may wait, likewise
 * @param tailCacheBytes recently pushed messages kept in memory for consumers that keep up
 * @param retainedBytesMax settled messages are kept for their retention, but only up to this
 * @param queuesMax most queues
 * @param partitionsMax most partitions of all queues, at most 16,777,215: message ids have 24 bits
 *     for the partition
 * @param groupsMax most groups of one queue
 * @param parkedMax most pops and other calls that may wait at a time
 * @param keys what queues with {@code encryptionEnabled} are encrypted with
 */
public record EngineConfig(
    @Nullable Path directory,
    Durability durability,
    int payloadBytesMax,
    long requestBytesMax,
    int mailboxMax,
    long mailboxBytesMax,
    long tailCacheBytes,
    long retainedBytesMax,
    int queuesMax,
    long partitionsMax,
    int groupsMax,
    int parkedMax,
    Keys keys) {
  /** What an answer promises. */
  public enum Durability {
    /** It survives a power cut. */
    FSYNC,
    /** It survives the death of the process. */
    OS
  }

  private static final int MIB = 1 << 20;

  public EngineConfig {
    positive("payloadBytesMax", payloadBytesMax);
    positive("requestBytesMax", requestBytesMax);
    positive("mailboxMax", mailboxMax);
    positive("mailboxBytesMax", mailboxBytesMax);
    positive("queuesMax", queuesMax);
    positive("partitionsMax", partitionsMax);
    if (partitionsMax >= MessageId.SLOT_END) {
      throw new IllegalArgumentException(
          "partitionsMax: expected at most "
              + (MessageId.SLOT_END - 1)
              + ", because message ids have 24 bits for the partition, but got "
              + partitionsMax);
    }
    positive("groupsMax", groupsMax);
    positive("parkedMax", parkedMax);
  }

  /** A set-up without keys. */
  public EngineConfig(
      @Nullable Path directory,
      Durability durability,
      int payloadBytesMax,
      long requestBytesMax,
      int mailboxMax,
      long mailboxBytesMax,
      long tailCacheBytes,
      long retainedBytesMax,
      int queuesMax,
      long partitionsMax,
      int groupsMax,
      int parkedMax) {
    this(
        directory,
        durability,
        payloadBytesMax,
        requestBytesMax,
        mailboxMax,
        mailboxBytesMax,
        tailCacheBytes,
        retainedBytesMax,
        queuesMax,
        partitionsMax,
        groupsMax,
        parkedMax,
        Keys.NONE);
  }

  private static void positive(String field, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(field + ": expected 1 or more, but got " + value);
    }
  }

  /** The usual set-up over a data directory, which is made if it is not there. */
  public static EngineConfig at(Path directory) {
    return defaults(directory);
  }

  /** A broker that forgets everything when it is closed. */
  public static EngineConfig inMemory() {
    return defaults(null);
  }

  private static EngineConfig defaults(@Nullable Path directory) {
    return new EngineConfig(
        directory,
        Durability.FSYNC,
        4 * MIB,
        16L * MIB,
        65_536,
        64L * MIB,
        16L * MIB,
        1024L * MIB,
        100_000,
        10_000_000,
        1_000,
        50_000);
  }

  public EngineConfig directory(@Nullable Path path) {
    return new EngineConfig(
        path,
        durability,
        payloadBytesMax,
        requestBytesMax,
        mailboxMax,
        mailboxBytesMax,
        tailCacheBytes,
        retainedBytesMax,
        queuesMax,
        partitionsMax,
        groupsMax,
        parkedMax,
        keys);
  }

  public EngineConfig durability(Durability promise) {
    return new EngineConfig(
        directory,
        promise,
        payloadBytesMax,
        requestBytesMax,
        mailboxMax,
        mailboxBytesMax,
        tailCacheBytes,
        retainedBytesMax,
        queuesMax,
        partitionsMax,
        groupsMax,
        parkedMax,
        keys);
  }

  public EngineConfig mailbox(int commands, long bytes) {
    return new EngineConfig(
        directory,
        durability,
        payloadBytesMax,
        requestBytesMax,
        commands,
        bytes,
        tailCacheBytes,
        retainedBytesMax,
        queuesMax,
        partitionsMax,
        groupsMax,
        parkedMax,
        keys);
  }

  public EngineConfig retainedBytesMax(long bytes) {
    return new EngineConfig(
        directory,
        durability,
        payloadBytesMax,
        requestBytesMax,
        mailboxMax,
        mailboxBytesMax,
        tailCacheBytes,
        bytes,
        queuesMax,
        partitionsMax,
        groupsMax,
        parkedMax,
        keys);
  }

  /** The same with keys, so that queues may be encrypted. */
  public EngineConfig keys(Keys with) {
    return new EngineConfig(
        directory,
        durability,
        payloadBytesMax,
        requestBytesMax,
        mailboxMax,
        mailboxBytesMax,
        tailCacheBytes,
        retainedBytesMax,
        queuesMax,
        partitionsMax,
        groupsMax,
        parkedMax,
        with);
  }
}
