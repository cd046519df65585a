package io.holdfast.engine.store;

import java.util.List;
import java.util.stream.Stream;

/**
 * How far the files that RocksDB appends to were synced.
 *
 * @param log a write-ahead log file, and how many of its bytes were synced
 * @param earlier the last log files before it, oldest first; each was synced to its end
 * @param manifest the number of the manifest
 * @param manifestBytes how many of its bytes were synced
 */
record SyncedPosition(Log log, List<Log> earlier, long manifest, long manifestBytes) {
  /** How many are kept; RocksDB uses at most {@link RocksTuning#WRITE_BUFFERS} and one more. */
  static final int EARLIER_MAX = 8;

  static final SyncedPosition NOTHING = new SyncedPosition(Log.NONE, List.of(), 0, 0);

  /**
   * A log file.
   *
   * @param number the number in its name
   * @param bytes where its last record ends; a recycled file is longer
   */
  record Log(long number, long bytes) {
    static final Log NONE = new Log(0, 0);
  }

  SyncedPosition {
    earlier = List.copyOf(earlier);
  }

  /** All log files, oldest first. */
  Stream<Log> logs() {
    return Stream.concat(earlier.stream(), Stream.of(log));
  }
}
