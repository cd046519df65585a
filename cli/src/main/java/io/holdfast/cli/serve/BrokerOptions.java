package io.holdfast.cli.serve;

import io.holdfast.cli.options.Bounds;
import io.holdfast.engine.EngineConfig;
import io.holdfast.engine.EngineConfig.Durability;
import io.holdfast.engine.seal.KeyFile;
import io.holdfast.engine.seal.KeyFileException;
import io.holdfast.engine.seal.Keys;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code serve} for the broker. */
final class BrokerOptions {
  /** Placeholder for the data directory. */
  private static final String DATA = "<data>";

  @Option(
      names = "--data",
      paramLabel = "<dir>",
      defaultValue = "./data",
      description = "Data directory (default: ${DEFAULT-VALUE}). HOLDFAST_DATA")
  private Path data;

  @Option(
      names = "--durability",
      paramLabel = "<promise>",
      defaultValue = "fsync",
      description =
          "What acknowledged data survives: fsync a power failure, os a crash of the process"
              + " (default: ${DEFAULT-VALUE}). HOLDFAST_DURABILITY")
  private Durability durability;

  @Option(
      names = "--checkpoints",
      paramLabel = "<dir>",
      defaultValue = DATA + ".checkpoints",
      description =
          "Directory for checkpoints; <data> stands for the data directory"
              + " (default: ${DEFAULT-VALUE}). HOLDFAST_CHECKPOINTS")
  private String checkpoints;

  @Option(
      names = "--keys",
      paramLabel = "<file>",
      description =
          "Key file for encrypted queues, see 'key create'" + " (default: none). HOLDFAST_KEYS")
  private @Nullable Path keys;

  @Option(
      names = "--payload-max",
      paramLabel = "<bytes>",
      defaultValue = "4MiB",
      converter = ByteSizeConverter.class,
      description = "Maximum size of a payload (default: ${DEFAULT-VALUE}). HOLDFAST_PAYLOAD_MAX")
  private long payloadMax;

  @Option(
      names = "--request-max",
      paramLabel = "<bytes>",
      defaultValue = "16MiB",
      converter = ByteSizeConverter.class,
      description =
          "Maximum size of all payloads of one push or commit"
              + " (default: ${DEFAULT-VALUE}). HOLDFAST_REQUEST_MAX")
  private long requestMax;

  @Option(
      names = "--retained-max",
      paramLabel = "<bytes>",
      defaultValue = "1GiB",
      converter = ByteSizeConverter.class,
      description =
          "Maximum size of retained settled messages"
              + " (default: ${DEFAULT-VALUE}). HOLDFAST_RETAINED_MAX")
  private long retainedMax;

  @Option(
      names = "--mailbox-max",
      paramLabel = "<n>",
      defaultValue = "65536",
      description =
          "Maximum number of commands in the mailbox; pushes are refused at 80 %%"
              + " (default: ${DEFAULT-VALUE}). HOLDFAST_MAILBOX_MAX")
  private int mailboxMax;

  @Option(
      names = "--mailbox-bytes-max",
      paramLabel = "<bytes>",
      defaultValue = "64MiB",
      converter = ByteSizeConverter.class,
      description =
          "Maximum size of the mailbox (default: ${DEFAULT-VALUE}). HOLDFAST_MAILBOX_BYTES_MAX")
  private long mailboxBytesMax;

  @Option(
      names = "--tail-cache",
      paramLabel = "<bytes>",
      defaultValue = "16MiB",
      converter = ByteSizeConverter.class,
      description =
          "Size of the cache of recent messages"
              + " (default: ${DEFAULT-VALUE}). HOLDFAST_TAIL_CACHE")
  private long tailCache;

  @Option(
      names = "--queues-max",
      paramLabel = "<n>",
      defaultValue = "100000",
      description = "Maximum number of queues (default: ${DEFAULT-VALUE}). HOLDFAST_QUEUES_MAX")
  private int queuesMax;

  @Option(
      names = "--partitions-max",
      paramLabel = "<n>",
      defaultValue = "10000000",
      description =
          "Maximum number of partitions, counted once per consumer group"
              + " (default: ${DEFAULT-VALUE}). HOLDFAST_PARTITIONS_MAX")
  private long partitionsMax;

  @Option(
      names = "--groups-max",
      paramLabel = "<n>",
      defaultValue = "1000",
      description =
          "Maximum number of groups of a queue (default: ${DEFAULT-VALUE}). HOLDFAST_GROUPS_MAX")
  private int groupsMax;

  @Option(
      names = "--parked-max",
      paramLabel = "<n>",
      defaultValue = "50000",
      description =
          "Maximum number of waiting pops and other long polls"
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
   * @throws KeyFileException if the key file cannot be used
   */
  Keys keys() {
    return keys == null ? Keys.NONE : KeyFile.read(keys);
  }

  /**
   * The configuration of the broker, without keys.
   *
   * @throws IllegalArgumentException naming an option that is out of bounds
   */
  EngineConfig config() {
    HeapLimits heap = HeapLimits.ofThisProcess();
    return new EngineConfig(
        data(),
        durability,
        Bounds.check("--payload-max", payloadMax, 1, Integer.MAX_VALUE),
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
