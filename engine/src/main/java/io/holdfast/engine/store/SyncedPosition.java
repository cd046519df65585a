package io.holdfast.engine.store;

import java.util.List;

/**
 * How far the files that RocksDB appends to were synced.
 *
 * @param log the number of a write-ahead log file
 * @param offset how many of its bytes were synced; all log files before it were synced as a whole
 * @param earlier the numbers of the last log files before it, oldest first
 * @param manifest the number of the manifest
 * @param manifestBytes how many of its bytes were synced
 */
record SyncedPosition(
    long log, long offset, List<Long> earlier, long manifest, long manifestBytes) {
  /** How many are kept; RocksDB uses at most {@link RocksTuning#WRITE_BUFFERS} and one more. */
  static final int EARLIER_MAX = 8;

  static final SyncedPosition NOTHING = new SyncedPosition(0, 0, List.of(), 0, 0);

  SyncedPosition {
    earlier = List.copyOf(earlier);
  }
}
