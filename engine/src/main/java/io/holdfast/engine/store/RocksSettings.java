package io.holdfast.engine.store;

import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompressionType;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.Options;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteOptions;

/** The native objects a RocksDB is opened with; closed after it. */
final class RocksSettings implements AutoCloseable {
  private static final long KIB = 1024;
  private static final long MIB = 1024 * KIB;

  private static final int RECYCLED_LOGS = 1;
  private static final int BACKGROUND_THREADS = 2;
  private static final int OPEN_FILES = 512;
  private static final double BLOOM_BITS_PER_KEY = 10;
  private static final int RANGES_PER_BUFFER = 500;
  private static final int CACHE_SHARD_BITS = 2;
  private static final double CACHE_SHARE_OF_FILTERS = 0.5;
  private static final long BLOCK_BYTES = 16 * KIB;
  private static final long SORTED_FILE_BYTES = 32 * MIB;
  private static final long FIRST_LEVEL_BYTES = 256 * MIB;
  private static final long APART_BYTES_MIN = KIB;
  private static final long APART_FILE_BYTES = 64 * MIB;
  private static final long BYTES_PER_SYNC = MIB;
  private static final long INFO_LOG_BYTES = MIB;
  private static final long INFO_LOGS = 3;

  private final Cache cache;
  private final BloomFilter bloom;
  private final Options options;
  private final WriteOptions synced = new WriteOptions().setSync(true);
  private final WriteOptions unsynced = new WriteOptions().setSync(false);
  private final WriteOptions unlogged = new WriteOptions().setDisableWAL(true);
  private final boolean logged;

  RocksSettings(RocksTuning tuning) {
    logged = tuning.log() != RocksTuning.Log.NONE;
    // Few shards: an entry must be small against its shard, or it is never kept.
    cache = new LRUCache(tuning.cacheBytes(), CACHE_SHARD_BITS, false, CACHE_SHARE_OF_FILTERS);
    bloom = new BloomFilter(BLOOM_BITS_PER_KEY);
    options = new Options().setCreateIfMissing(true);
    detectDamage();
    boundMemory(tuning);
    shapeFiles();
    shapeLogs();
  }

  private void detectDamage() {
    options
        .setParanoidChecks(true)
        // LogCheck has cut the log where it ends, so nothing is left that this mode would drop;
        // RocksStore checks that nothing was. Stricter modes do not allow recycled logs.
        .setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery);
    if (logged) {
      // A log that overwrites an old one in place takes less time to sync than one that grows.
      options.setRecycleLogFileNum(RECYCLED_LOGS);
    }
  }

  private void boundMemory(RocksTuning tuning) {
    options
        .setWriteBufferSize(tuning.writeBufferBytes())
        .setMaxWriteBufferNumber(RocksTuning.WRITE_BUFFERS)
        // Also bounds what is replayed after a crash.
        .setMaxTotalWalSize(RocksTuning.WRITE_BUFFERS * tuning.writeBufferBytes())
        // Every read looks through the deleted ranges of the buffer; a flush ends them there.
        .setMemtableMaxRangeDeletions(RANGES_PER_BUFFER)
        .setMaxOpenFiles(OPEN_FILES)
        // One thread writes: what lets several share a buffer only costs.
        .setAllowConcurrentMemtableWrite(false)
        .setTableFormatConfig(
            new BlockBasedTableConfig()
                .setBlockCache(cache)
                .setBlockSize(BLOCK_BYTES)
                .setFilterPolicy(bloom)
                .setWholeKeyFiltering(true)
                // In parts: the filter of one file of names takes more than half a megabyte, and a
                // look-up that does not find it in the cache would read all of it.
                .setPartitionFilters(true)
                .setIndexType(IndexType.kTwoLevelIndexSearch)
                .setPinTopLevelIndexAndFilter(true)
                // In the cache, so that its size is the bound of all of it.
                .setCacheIndexAndFilterBlocks(true)
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setPinL0FilterAndIndexBlocksInCache(true));
  }

  private void shapeFiles() {
    options
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setMaxBackgroundJobs(BACKGROUND_THREADS)
        .setLevelCompactionDynamicLevelBytes(true)
        .setTargetFileSizeBase(SORTED_FILE_BYTES)
        .setMaxBytesForLevelBase(FIRST_LEVEL_BYTES)
        // Chunks of messages are written to files of their own once, and not again with every
        // compaction of their keys; trimmed from the front, those files empty as a whole.
        .setEnableBlobFiles(true)
        .setMinBlobSize(APART_BYTES_MIN)
        .setBlobFileSize(APART_FILE_BYTES)
        // Begun once it is known that none of those files is missing: RocksDB takes no more batches
        // after a compaction that could not read one.
        .setEnableBlobGarbageCollection(false)
        // Sorted files go to the disk bit by bit, not in a burst that the log's fsync waits for.
        .setBytesPerSync(BYTES_PER_SYNC);
  }

  private void shapeLogs() {
    options
        .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
        .setMaxLogFileSize(INFO_LOG_BYTES)
        .setKeepLogFileNum(INFO_LOGS)
        .setStatsDumpPeriodSec(0)
        .setStatsPersistPeriodSec(0);
  }

  /** The change that lets compactions move the values that are left of an old file to a new one. */
  static MutableColumnFamilyOptions withBlobGarbageCollection() {
    return MutableColumnFamilyOptions.builder().setEnableBlobGarbageCollection(true).build();
  }

  Options options() {
    return options;
  }

  /** Whether batches are written to a log of the store. */
  boolean logged() {
    return logged;
  }

  WriteOptions forWrite(boolean sync) {
    if (!logged) {
      return unlogged;
    }
    return sync ? synced : unsynced;
  }

  @Override
  public void close() {
    synced.close();
    unsynced.close();
    unlogged.close();
    options.close();
    bloom.close();
    cache.close();
  }
}
