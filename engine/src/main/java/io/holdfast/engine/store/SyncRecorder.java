package io.holdfast.engine.store;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/**
 * Records how far the files of an open store were synced, so that its next opening can tell a torn
 * end from damage.
 *
 * <p>Invariant: the recorded {@link SyncedPosition} never claims more than was synced. RocksDB
 * syncs all log files with a synced batch, also those before the one it appends to.
 *
 * <p>Thread: the one that writes.
 */
final class SyncRecorder {
  private final Path directory;
  private final LogTail log;
  private final SyncedPositionFile file;
  private SyncedPosition last = SyncedPosition.NOTHING;

  private SyncRecorder(Path directory, LogTail log, SyncedPositionFile file) {
    this.directory = directory;
    this.log = log;
    this.file = file;
  }

  /** Begins to record, after RocksDB has opened the directory. */
  static SyncRecorder begin(Path directory) throws IOException {
    SyncRecorder recorder =
        new SyncRecorder(directory, new LogTail(directory), SyncedPositionFile.open(directory));
    // Nothing is claimed of the new log, not even that its name is on the disk.
    recorder.recordManifest(SyncedPosition.Log.NONE);
    return recorder;
  }

  /** Records a write that RocksDB has made, of a batch of so many bytes. */
  void written(long batchBytes, boolean sync) throws IOException {
    log.follow(batchBytes);
    if (!sync) {
      return;
    }
    if (log.log().number() == last.log().number()) {
      record(new SyncedPosition(log.log(), last.earlier(), last.manifest(), last.manifestBytes()));
    } else {
      recordManifest(log.log());
    }
  }

  /** Records a position, and with it how far the manifest is synced now. */
  private void recordManifest(SyncedPosition.Log synced) throws IOException {
    Manifest manifest = Manifest.read(directory);
    if (manifest == null) {
      throw new IOException("there is no file " + Manifest.CURRENT);
    }
    // RocksDB may be appending to it at this moment: what was whole before is synced here.
    try (RandomAccessFile appended = new RandomAccessFile(manifest.file().toFile(), "r")) {
      appended.getFD().sync();
    }
    record(new SyncedPosition(synced, log.earlier(), manifest.number(), manifest.scan().end()));
    file.force();
  }

  private void record(SyncedPosition position) throws IOException {
    file.write(position);
    last = position;
  }

  /**
   * Ends, after RocksDB has closed the directory.
   *
   * @param flushed whether all batches are in sorted files, and no log is needed any more
   */
  void end(boolean flushed) throws IOException {
    try (file;
        log) {
      if (flushed) {
        log.moveToNewest();
        // The new log must be there after a power cut, because it is going to be asked for.
        StoreDirectory.forceDirectory(directory);
        recordManifest(new SyncedPosition.Log(log.log().number(), 0));
      }
    }
  }
}
