package io.holdfast.cluster.raft;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** The settings of Ratis; docs/adr/0040-ratis.md explains those that matter. */
final class RaftSettings {
  private static final int MIB = 1 << 20;

  /**
   * Ratis sends at most this many bytes of entries in one request. A larger entry would stop it.
   */
  static final int APPEND_BYTES = 20 * MIB;

  /** The largest entry: well below every limit for entries of Ratis. */
  static final int ENTRY_BYTES_MAX = APPEND_BYTES - MIB;

  /**
   * Space for a log file that is allocated ahead. It is filled with zeros, which the next sync
   * writes to the disk: little space costs more changes of the file's size, much space writes large
   * entries twice.
   */
  private static final int PREALLOCATED_BYTES = 64 << 10;

  /** Entries that are proposed and not applied yet. */
  private static final int PENDING_ENTRIES = 64;

  private static final int PENDING_BYTES = 64 * MIB;
  private static final int QUEUED_BYTES = 64 * MIB;
  static final int MESSAGE_BYTES = 64 * MIB;
  private static final int WINDOW_BYTES = 4 * MIB;

  /** Closed files of the log whose entries stay in memory. */
  private static final int CACHED_FILES = 2;

  private static final int CACHED_BYTES = 128 * MIB;

  /**
   * Entries before the end of the log that are never deleted: with none, Ratis asks a follower that
   * needs exactly the next one for a checkpoint again and again (RATIS-2500). Few, because entries
   * of the largest size would take 2 GiB.
   */
  static final int KEPT_ENTRIES_MIN = 100;

  /** How long Ratis remembers a request. Requests are not repeated to it, so hardly at all. */
  private static final Duration RETRY_CACHE = Duration.ofSeconds(2);

  private static final Duration FIRST_ELECTION_MIN = Duration.ofMillis(150);
  private static final Duration FIRST_ELECTION_MAX = Duration.ofMillis(300);

  /** How long a node that is added may take for the next step. */
  private static final Duration STAGING = Duration.ofMinutes(10);

  /** A process that stood still for so long would close its log. */
  private static final Duration CLOSE_AFTER_PAUSE = Duration.ofHours(1);

  private static final Duration NO_LEADER_AFTER = Duration.ofSeconds(10);

  private RaftSettings() {}

  /** The settings of a node. */
  static RaftProperties of(RaftConfig config, Path logs) {
    RaftProperties properties = new RaftProperties();
    RaftServerConfigKeys.setStorageDir(properties, List.of(logs.toFile()));
    RaftServerConfigKeys.setRemovedGroupsDir(properties, logs.resolveSibling("removed").toFile());
    transport(properties, config);
    times(properties, config.times());
    durability(properties);
    sizes(properties, config.limits());
    snapshots(properties, config.limits());
    return properties;
  }

  private static void transport(RaftProperties properties, RaftConfig config) {
    RaftConfigKeys.Rpc.setType(properties, SupportedRpcType.GRPC);
    GrpcConfigKeys.Server.setHost(properties, config.listenHost());
    GrpcConfigKeys.Server.setPort(properties, config.self().port());
    GrpcConfigKeys.setMessageSizeMax(properties, SizeInBytes.valueOf(MESSAGE_BYTES));
    GrpcConfigKeys.setFlowControlWindow(properties, SizeInBytes.valueOf(WINDOW_BYTES));
  }

  private static void times(RaftProperties properties, RaftTimes times) {
    RaftServerConfigKeys.Rpc.setTimeoutMin(properties, time(times.electionMin()));
    RaftServerConfigKeys.Rpc.setTimeoutMax(properties, time(times.electionMax()));
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(properties, time(FIRST_ELECTION_MIN));
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(properties, time(FIRST_ELECTION_MAX));
    RaftServerConfigKeys.LeaderElection.setPreVote(properties, true);
    RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(
        properties, time(times.electionMax()));
    RaftServerConfigKeys.setCloseThreshold(properties, time(CLOSE_AFTER_PAUSE));
    RaftServerConfigKeys.setStagingTimeout(properties, time(STAGING));
    RaftServerConfigKeys.Notification.setNoLeaderTimeout(properties, time(NO_LEADER_AFTER));
    RaftServerConfigKeys.RetryCache.setExpiryTime(properties, time(RETRY_CACHE));
    RaftServerConfigKeys.Log.Appender.setWaitTimeMin(properties, TimeDuration.ZERO);
  }

  /** What counts as stored is stored: these must never change. */
  private static void durability(RaftProperties properties) {
    RaftServerConfigKeys.Log.setUnsafeFlushEnabled(properties, false);
    RaftServerConfigKeys.Log.setAsyncFlushEnabled(properties, false);
    RaftServerConfigKeys.Log.setUseMemory(properties, false);
    RaftServerConfigKeys.Log.setCorruptionPolicy(
        properties, RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION);
    // A second entry, and a second sync, for each commit.
    RaftServerConfigKeys.Log.setLogMetadataEnabled(properties, false);
  }

  private static void sizes(RaftProperties properties, LogLimits limits) {
    RaftServerConfigKeys.Log.setSegmentSizeMax(
        properties, SizeInBytes.valueOf(limits.segmentBytes()));
    RaftServerConfigKeys.Log.setPreallocatedSize(
        properties, SizeInBytes.valueOf(Math.min(PREALLOCATED_BYTES, limits.segmentBytes())));
    RaftServerConfigKeys.Log.setSegmentCacheNumMax(properties, CACHED_FILES);
    RaftServerConfigKeys.Log.setSegmentCacheSizeMax(properties, SizeInBytes.valueOf(CACHED_BYTES));
    RaftServerConfigKeys.Log.Appender.setBufferByteLimit(
        properties, SizeInBytes.valueOf(APPEND_BYTES));
    RaftServerConfigKeys.Log.setWriteBufferSize(
        properties, SizeInBytes.valueOf(APPEND_BYTES + MIB));
    RaftServerConfigKeys.Log.setQueueByteLimit(properties, SizeInBytes.valueOf(QUEUED_BYTES));
    RaftServerConfigKeys.Write.setElementLimit(properties, PENDING_ENTRIES);
    RaftServerConfigKeys.Write.setByteLimit(properties, SizeInBytes.valueOf(PENDING_BYTES));
  }

  /** Nothing is left to Ratis here: {@link LogKeeper} stores rows and deletes log. */
  private static void snapshots(RaftProperties properties, LogLimits limits) {
    RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, false);
    RaftServerConfigKeys.Log.Appender.setInstallSnapshotEnabled(properties, false);
    RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
    RaftServerConfigKeys.Log.setPurgeGap(properties, 1);
    RaftServerConfigKeys.Log.setPurgePreservationLogNum(properties, limits.neededEntries());
  }

  static TimeDuration time(Duration time) {
    return TimeDuration.valueOf(time.toMillis(), TimeUnit.MILLISECONDS);
  }
}
