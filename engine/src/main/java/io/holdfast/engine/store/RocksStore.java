package io.holdfast.engine.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Checkpoint;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

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
  private static final byte[] FORMAT_KEY = Tables.meta("format");
  private static final int FORMAT_BYTES = 4;

  static {
    RocksDB.loadLibrary();
  }

  private final StoreDirectory directory;
  private final RocksSettings settings;
  private final RocksDB db;
  private final RocksView latest;
  private final KnownNames names;
  private final Overlay overlay;
  private volatile @Nullable StoreException failure;
  private volatile boolean closed;

  private RocksStore(StoreDirectory directory, RocksSettings settings, RocksDB db) {
    this.directory = directory;
    this.settings = settings;
    this.db = db;
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
    RocksSettings settings = new RocksSettings(tuning);
    RocksDB db;
    try {
      db = RocksDB.open(settings.options(), path.toString());
    } catch (RocksDBException e) {
      settings.close();
      throw RocksFailure.ofOpen(path, e);
    }
    RocksStore store = new RocksStore(directory, settings, db);
    try {
      store.checkFormat();
    } catch (StoreException e) {
      store.release();
      throw e;
    }
    return store;
  }

  private void checkFormat() {
    byte[] found = latest.get(FORMAT_KEY);
    if (found == null && isEmpty()) {
      store(formatRow(), true);
    } else if (found == null || found.length != FORMAT_BYTES) {
      throw new StoreException(
          "The store "
              + directory.path()
              + " does not say its format. Restore it from a"
              + " checkpoint.",
          null);
    } else if (Tables.int4(found, 0) != Tables.FORMAT) {
      throw new StoreException(
          "The store "
              + directory.path()
              + " has format "
              + Tables.int4(found, 0)
              + ", and this version of Holdfast understands format "
              + Tables.FORMAT
              + ": run the version that wrote it, or name another directory.",
          null);
    }
  }

  private boolean isEmpty() {
    try (Rows rows = latest.scan(new byte[] {0}, Tables.start(Tables.END))) {
      return !rows.next();
    }
  }

  private static Writes formatRow() {
    Writes writes = new Writes();
    writes.put(FORMAT_KEY, ByteBuffer.allocate(FORMAT_BYTES).putInt(Tables.FORMAT).array());
    return writes;
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
    try (WriteBatch batch = new WriteBatch(BatchEncoding.encode(writes))) {
      db.write(settings.forWrite(sync), batch);
    } catch (RocksDBException e) {
      StoreException told = RocksFailure.ofWrite(e);
      failure = told;
      throw told;
    }
  }

  @Override
  public Snapshot snapshot() {
    checkOpen();
    return RocksView.ofThisMoment(db);
  }

  @Override
  public void checkpoint(Path target) {
    checkOpen();
    if (Files.exists(target)) {
      throw new StoreException(target + " exists already: name a new directory.", null);
    }
    // RocksDB flushes first, so that the copy needs no log, and renames the copy when it is whole.
    try (Checkpoint checkpoint = Checkpoint.create(db)) {
      checkpoint.createCheckpoint(target.toString());
      new StoreDirectory(target).mark();
    } catch (RocksDBException e) {
      throw uncopied(target, RocksFailure.text(e), e);
    } catch (IOException e) {
      throw uncopied(target, e.toString(), e);
    }
  }

  private StoreException uncopied(Path target, String why, Exception cause) {
    return new StoreException(
        "The store " + directory.path() + " could not be copied into " + target + " (" + why + ").",
        cause);
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
      flush();
    }
    release();
  }

  // Everything is in the log anyway; without one to replay the next start is quicker.
  private void flush() {
    try (FlushOptions options = new FlushOptions().setWaitForFlush(true)) {
      db.flush(options);
    } catch (RocksDBException e) {
      failure = RocksFailure.ofWrite(e);
    }
  }

  private void release() {
    closed = true;
    names.close();
    latest.close();
    db.close();
    settings.close();
  }
}
