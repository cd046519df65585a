package io.holdfast.cli;

import io.holdfast.engine.EngineConfig;
import io.holdfast.engine.EngineConfig.Durability;
import io.holdfast.engine.seal.KeyFile;
import io.holdfast.engine.seal.KeyFileException;
import io.holdfast.engine.seal.Keys;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code serve} that are the broker's. */
final class BrokerOptions {
  /** Stands for the data directory. */
  private static final String DATA = "<data>";

  @Option(
      names = "--data",
      paramLabel = "<dir>",
      defaultValue = "./data",
      description = "Where the data lives (default: ${DEFAULT-VALUE}). HOLDFAST_DATA")
  private Path data;

  @Option(
      names = "--durability",
      paramLabel = "<promise>",
      defaultValue = "fsync",
      description =
          "What an answer survives: fsync a power cut, os the death of the process"
              + " (default: ${DEFAULT-VALUE}). HOLDFAST_DURABILITY")
  private Durability durability;

  @Option(
      names = "--checkpoints",
      paramLabel = "<dir>",
      defaultValue = DATA + ".checkpoints",
      description =
          "Where checkpoints are made; <data> is the data directory"
              + " (default: ${DEFAULT-VALUE}). HOLDFAST_CHECKPOINTS")
  private String checkpoints;

  @Option(
      names = "--keys",
      paramLabel = "<file>",
      description =
          "The key file that encrypted queues need, made with key create"
              + " (default: none). HOLDFAST_KEYS")
  private @Nullable Path keys;

  @Option(
      names = "--payload-max",
      paramLabel = "<bytes>",
      defaultValue = "1MiB",
      converter = ByteSize.class,
      description = "The largest payload (default: ${DEFAULT-VALUE}). HOLDFAST_PAYLOAD_MAX")
  private long payloadMax;

  @Option(
      names = "--request-max",
      paramLabel = "<bytes>",
      defaultValue = "16MiB",
      converter = ByteSize.class,
      description =
          "All payloads of one push or commit"
              + " (default: ${DEFAULT-VALUE}). HOLDFAST_REQUEST_MAX")
  private long requestMax;

  @Option(
      names = "--retained-max",
      paramLabel = "<bytes>",
      defaultValue = "1GiB",
      converter = ByteSize.class,
      description =
          "Settled messages are kept for their retention up to this"
              + " (default: ${DEFAULT-VALUE}). HOLDFAST_RETAINED_MAX")
  private long retainedMax;

  @Option(
      names = "--mailbox-max",
      paramLabel = "<n>",
      defaultValue = "65536",
      description =
          "Commands that may wait; pushes are refused at 80 %%"
              + " (default: ${DEFAULT-VALUE}). HOLDFAST_MAILBOX_MAX")
  private int mailboxMax;

  @Option(
      names = "--mailbox-bytes-max",
      paramLabel = "<bytes>",
      defaultValue = "64MiB",
      converter = ByteSize.class,
      description = "Likewise in bytes (default: ${DEFAULT-VALUE}). HOLDFAST_MAILBOX_BYTES_MAX")
  private long mailboxBytesMax;

  @Option(
      names = "--tail-cache",
      paramLabel = "<bytes>",
      defaultValue = "16MiB",
      converter = ByteSize.class,
      description =
          "Recent messages kept in memory for consumers that keep up"
              + " (default: ${DEFAULT-VALUE}). HOLDFAST_TAIL_CACHE")
  private long tailCache;

  @Option(
      names = "--queues-max",
      paramLabel = "<n>",
      defaultValue = "100000",
      description = "Most queues (default: ${DEFAULT-VALUE}). HOLDFAST_QUEUES_MAX")
  private int queuesMax;

  @Option(
      names = "--partitions-max",
      paramLabel = "<n>",
      defaultValue = "10000000",
      description =
          "Most partitions of all queues, each counted for every group that reads it"
              + " (default: ${DEFAULT-VALUE}). HOLDFAST_PARTITIONS_MAX")
  private long partitionsMax;

  @Option(
      names = "--groups-max",
      paramLabel = "<n>",
      defaultValue = "1000",
      description = "Most groups of one queue (default: ${DEFAULT-VALUE}). HOLDFAST_GROUPS_MAX")
  private int groupsMax;

  @Option(
      names = "--parked-max",
      paramLabel = "<n>",
      defaultValue = "50000",
      description =
          "Most pops and other calls that wait at a time"
              + " (default: ${DEFAULT-VALUE}). HOLDFAST_PARKED_MAX")
  private int parkedMax;

  Path data() {
    return data.toAbsolutePath().normalize();
  }

  Path checkpoints() {
    return Path.of(checkpoints.replace(DATA, data().toString())).toAbsolutePath().normalize();
  }

  Durability durability() {
    return durability;
  }

  /**
   * The keys of encrypted queues.
   *
   * @throws KeyFileException if there should be some, and the file cannot be used
   */
  Keys keys() {
    return keys == null ? Keys.NONE : KeyFile.read(keys);
  }

  /**
   * The set-up of the broker, without keys.
   *
   * @throws IllegalArgumentException naming what is out of bounds
   */
  EngineConfig config() {
    HeapShare heap = HeapShare.ofThisProcess();
    return new EngineConfig(
        data(),
        durability,
        ServeCommand.within("--payload-max", payloadMax, 1, Integer.MAX_VALUE),
        requestMax,
        mailboxMax,
        heap.mailboxBytes(mailboxBytesMax),
        heap.tailCacheBytes(tailCache),
        retainedMax,
        queuesMax,
        heap.partitions(partitionsMax),
        groupsMax,
        parkedMax);
  }
}
