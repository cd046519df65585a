package io.holdfast.engine.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store on a disk, in RocksDB.
 *
 * <p>Invariant: after a failed write nothing more is written; the directory holds exactly the
 * batches before it.
 *
 * <p>Thread: as {@link Store} says; platform threads only, because a call into native code holds
 * its carrier thread.
 */
public final class RocksStore implements Store {
  private static final Logger LOG = LoggerFactory.getLogger(RocksStore.class);

  static {
    RocksDB.loadLibrary();
  }

  private static final int FILLER_BYTES = 1 << 20;

  /** One log is appended to while the rows of the other are flushed. */
  private static final int RECYCLED_BY_TURNS = 2;

  /** The key of no row: it is before all tables. */
  private static final byte[] FILLER_KEY = {0};

  private final StoreDirectory directory;
  private final RocksSettings settings;
  private final RocksDB db;
  private final RocksView latest;
  private final KnownNames names;
  private final Overlay overlay;
  private final SyncRecorder synced;
  private volatile @Nullable StoreException failure;
  private volatile boolean closed;

  private RocksStore(
      StoreDirectory directory, RocksSettings settings, RocksDB db, SyncRecorder synced) {
    this.directory = directory;
    this.settings = settings;
    this.db = db;
    this.synced = synced;
    this.latest = RocksView.latest(db);
    this.names = new KnownNames(() -> RocksView.ofThisMoment(db));
    this.overlay = new Overlay(latest, names);
  }

  /**
   * Opens the store of a directory, or makes one where there is nothing.
   *
   * @throws StoreException if it is open already, damaged, of an unknown format, or no store
   */
  public static RocksStore open(Path path, RocksTuning tuning) {
    StoreDirectory directory = new StoreDirectory(path);
    directory.prepare();
    if (!OpenStores.add(path)) {
      throw RocksFailure.isOpen(path, null);
    }
    RocksStore store;
    try {
      LogCheck log = endLog(path);
      store = openChecked(directory, new RocksSettings(tuning), log);
    } catch (RuntimeException unopened) {
      OpenStores.remove(path);
      throw unopened;
    }
    try {
      store.checkFormat();
      if (tuning.log() == RocksTuning.Log.WRITTEN_AHEAD) {
        store.writeLogsAhead(tuning.writeBufferBytes());
      }
    } catch (StoreException e) {
      store.release(false);
      throw e;
    }
    return store;
  }

  /**
   * Writes two log files in full, which RocksDB then recycles by turns. A log that grows syncs in
   * one and a half times the time of one that is overwritten in place, and RocksDB recycles only
   * log files that it has written itself.
   */
  private void writeLogsAhead(long bytes) {
    byte[] filler = new byte[FILLER_BYTES];
    for (int log = 0; log < RECYCLED_BY_TURNS; log++) {
      for (long written = 0; written < bytes; written += FILLER_BYTES) {
        storeFiller(filler, written + FILLER_BYTES >= bytes);
      }
      flush();
    }
  }

  /**
   * Writes bytes to the log that change nothing, with a deletion so that there is a row to flush.
   */
  private void storeFiller(byte[] filler, boolean sync) {
    try (WriteBatch batch = new WriteBatch()) {
      batch.delete(FILLER_KEY);
      batch.putLogData(filler);
      db.write(settings.forWrite(sync), batch);
      synced.written(batch.getDataSize(), sync);
    } catch (RocksDBException e) {
      throw failed(RocksFailure.ofWrite(e));
    } catch (IOException e) {
      throw failed(RocksFailure.unrecorded(e));
    }
  }

  /** Finishes an interrupted replacement, cuts the log where it ends, refuses a damaged one. */
  private static LogCheck endLog(Path path) {
    DirectoryLock lock = DirectoryLock.take(path);
    try (lock) {
      StoreReplacement.finish(path);
      LogCheck log = LogCheck.of(path);
      log.cut();
      return log;
    }
  }

  private static RocksStore openChecked(
      StoreDirectory directory, RocksSettings settings, LogCheck log) {
    @Nullable RocksDB db = null;
    try {
      db = RocksDB.open(settings.options(), directory.path().toString());
      log.checkRecovered(db.getLatestSequenceNumber());
      collectBlobs(db, directory.path());
      return new RocksStore(directory, settings, db, SyncRecorder.begin(directory.path()));
    } catch (RocksDBException e) {
      closeUnopened(db, settings);
      throw RocksFailure.ofOpen(directory.path(), e);
    } catch (IOException e) {
      closeUnopened(db, settings);
      throw RocksFailure.unrecorded(e);
    } catch (StoreException e) {
      closeUnopened(db, settings);
      throw e;
    }
  }

  private static void closeUnopened(@Nullable RocksDB db, RocksSettings settings) {
    if (db != null) {
      db.close();
    }
    settings.close();
  }

  private static void collectBlobs(RocksDB db, Path path) throws RocksDBException {
    List<BlobFiles.Damaged> damaged = BlobFiles.damaged(db, path);
    if (damaged.isEmpty()) {
      db.setOptions(RocksSettings.withBlobGarbageCollection());
    }
    for (BlobFiles.Damaged file : damaged) {
      LOG.error(
          "The file {} of the store {} is damaged: {}. Messages in it cannot be read. {}",
          file.name(),
          path,
          file.why(),
          StoreDamage.RESTORE);
    }
  }

  private void checkFormat() {
    byte[] found = latest.get(Format.KEY);
    if (found == null && isEmpty()) {
      store(Format.row(), true);
      if (!settings.logged()) {
        flush();
      }
    } else {
      Format.check(directory.path(), found);
    }
  }

  private boolean isEmpty() {
    try (Rows rows = latest.scan(new byte[] {0}, Tables.start(Tables.END))) {
      return !rows.next();
    }
  }

  @Override
  public Tx begin() {
    checkOpen();
    return overlay.begin();
  }

  @Override
  public void write(Tx tx, boolean sync) {
    checkOpen();
    StoreException cause = failure;
    if (cause != null) {
      throw new StoreException("The store takes no batch after one that failed. " + cause, cause);
    }
    OverlayTx batch = overlay.check(tx);
    // An empty batch is written if it is to be synced: that makes the batches before it durable.
    if (sync || batch.writes() > 0) {
      store(batch.log(), sync);
    }
    overlay.written(batch);
  }

  private void store(Writes writes, boolean sync) {
    byte[] encoded = BatchEncoding.encode(writes);
    try (WriteBatch batch = new WriteBatch(encoded)) {
      db.write(settings.forWrite(sync), batch);
      if (settings.logged()) {
        synced.written(encoded.length, sync);
      }
    } catch (RocksDBException e) {
      throw failed(RocksFailure.ofWrite(e));
    } catch (IOException e) {
      throw failed(RocksFailure.unrecorded(e));
    }
  }

  private StoreException failed(StoreException cause) {
    failure = cause;
    return cause;
  }

  @Override
  public Snapshot snapshot() {
    checkOpen();
    return RocksView.ofThisMoment(db);
  }

  @Override
  public void checkpoint(Path target) {
    checkOpen();
    CheckpointCopy.make(db, directory.path(), target);
  }

  /**
   * Compacts the range. RocksDB could drop whole files of it unread, but then also the tombstones
   * in them, and rows that lie in a file across the border would come back.
   */
  @Override
  public void reclaim(byte[] from, byte[] to) {
    checkOpen();
    try (CompactRangeOptions options =
        new CompactRangeOptions().setExclusiveManualCompaction(false).setAllowWriteStall(false)) {
      db.compactRange(db.getDefaultColumnFamily(), from, to, options);
    } catch (RocksDBException e) {
      throw new StoreException("Disk space could not be freed (" + RocksFailure.text(e) + ").", e);
    }
  }

  @Override
  public long diskBytes() {
    return directory.bytes();
  }

  private void checkOpen() {
    if (closed) {
      throw new StoreException("The store " + directory.path() + " is closed.", null);
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    if (failure == null) {
      flushAtEnd();
    }
    release(failure == null);
  }

  /** Closes it without a flush: its files are about to be deleted. */
  void discard() {
    release(false);
  }

  @Override
  public @Nullable StoreException failure() {
    return failure;
  }

  @Override
  public void flush() {
    checkOpen();
    try (FlushOptions options = new FlushOptions().setWaitForFlush(true)) {
      db.flush(options);
    } catch (RocksDBException e) {
      throw failed(RocksFailure.ofWrite(e));
    }
  }

  // Everything is in a log anyway; without one to replay the next start is quicker.
  private void flushAtEnd() {
    try {
      flush();
    } catch (StoreException e) {
      LOG.error("The store {} could not be flushed when it was closed.", directory.path(), e);
    }
  }

  private void release(boolean flushed) {
    closed = true;
    names.close();
    latest.close();
    db.close();
    settings.close();
    try {
      synced.end(flushed);
    } catch (IOException e) {
      failure = RocksFailure.unrecorded(e);
      LOG.error("The store {} could not be closed properly.", directory.path(), e);
    }
    OpenStores.remove(directory.path());
  }
}
