package io.holdfast.engine.store;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
    OpenStores.add(path);
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
    byte[] found = latest.get(Format.KEY);
    if (found == null && isEmpty()) {
      store(Format.row(), true);
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
    Path part = target.resolveSibling(target.getFileName() + ".part");
    if (Files.exists(part)) {
      throw new StoreException(
          part + " exists: a checkpoint is being made, or one failed; then remove it.", null);
    }
    boolean whole = false;
    // RocksDB flushes first, so that the copy needs no log.
    try (Checkpoint checkpoint = Checkpoint.create(db)) {
      checkpoint.createCheckpoint(part.toString());
      StoreDirectory copy = new StoreDirectory(part);
      copy.keepFromOthers();
      copy.mark();
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
      whole = true;
      StoreDirectory.forceDirectory(target.toAbsolutePath().getParent());
    } catch (RocksDBException e) {
      throw uncopied(target, RocksFailure.text(e), e);
    } catch (IOException e) {
      throw uncopied(target, e.toString(), e);
    } finally {
      if (!whole) {
        remove(part);
      }
    }
  }

  /** Removes what there is of a copy. */
  private static void remove(Path part) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(part)) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(part);
    } catch (IOException stays) {
      // Whoever uses the name again is told of it; why there is no copy matters more here.
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
    OpenStores.remove(directory.path());
  }
}
