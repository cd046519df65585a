package io.holdfast.engine.store;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A store on a disk whose rows can be replaced by those of a checkpoint while it is used.
 *
 * <p>Invariant: a {@link RocksStore} is closed only when no snapshot, checkpoint or compaction of
 * it is under way. Those that come during a replacement wait, and then see the new rows.
 *
 * <p>Thread: as {@link Store} says. A thread has at most one snapshot open, and must not wait for
 * the thread that begins batches meanwhile.
 */
public final class ReplaceableStore implements Store {
  /** A replacement waits this long for the reads under way, and commands wait for it meanwhile. */
  private static final long WAIT_MS = 30_000;

  private static final int USES_MAX = Integer.MAX_VALUE;

  private final Path path;
  private final RocksTuning tuning;
  private final long waitMs;

  /**
   * A replacement takes all permits, every other use takes one. Fair, so that uses that come later
   * do not pass a replacement that waits. No lock, because another thread may close a snapshot.
   */
  private final Semaphore uses = new Semaphore(USES_MAX, true);

  private volatile RocksStore current;
  private volatile @Nullable StoreException failure;

  private ReplaceableStore(Path path, RocksTuning tuning, long waitMs) {
    this.path = path;
    this.tuning = tuning;
    this.waitMs = waitMs;
    this.current = RocksStore.open(path, tuning);
  }

  /**
   * Opens the store of a directory, or makes one where there is nothing.
   *
   * @throws StoreException if it is open already, damaged, of an unknown format, or no store
   */
  public static ReplaceableStore open(Path path, RocksTuning tuning) {
    return new ReplaceableStore(path, tuning, WAIT_MS);
  }

  /** The same with another limit of waiting for reads, for tests. */
  static ReplaceableStore open(Path path, RocksTuning tuning, long waitMs) {
    return new ReplaceableStore(path, tuning, waitMs);
  }

  @Override
  public void replaceWith(Path checkpoint) {
    if (!awaitUses()) {
      throw new StoreException(
          "The store "
              + path
              + " was not replaced by the checkpoint "
              + checkpoint
              + ": reads or a compaction under way did not end within "
              + waitMs
              + " ms. The store is unchanged; try again.",
          null);
    }
    try {
      StoreReplacement.begin(path, checkpoint);
      reopen();
    } finally {
      uses.release(USES_MAX);
    }
  }

  private boolean awaitUses() {
    try {
      return uses.tryAcquire(USES_MAX, waitMs, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Closes the old store, and opens the new one, which finishes the replacement of the files. */
  private void reopen() {
    try {
      current.discard();
      current = RocksStore.open(path, tuning);
    } catch (RuntimeException unopened) {
      failure =
          new StoreException(
              "The store "
                  + path
                  + " could not be opened after it was replaced by a checkpoint ("
                  + unopened.getMessage()
                  + ").",
              unopened);
      throw failure;
    }
  }

  @Override
  public Tx begin() {
    return current.begin();
  }

  @Override
  public void write(Tx tx, boolean sync) {
    current.write(tx, sync);
  }

  @Override
  public Snapshot snapshot() {
    uses.acquireUninterruptibly();
    try {
      return new Use(current.snapshot());
    } catch (RuntimeException | Error unread) {
      uses.release();
      throw unread;
    }
  }

  @Override
  public void checkpoint(Path directory) {
    use(() -> current.checkpoint(directory));
  }

  @Override
  public void flush() {
    use(() -> current.flush());
  }

  @Override
  public void reclaim(byte[] from, byte[] to) {
    use(() -> current.reclaim(from, to));
  }

  private void use(Runnable work) {
    uses.acquireUninterruptibly();
    try {
      work.run();
    } finally {
      uses.release();
    }
  }

  @Override
  public @Nullable StoreException failure() {
    StoreException unreplaced = failure;
    return unreplaced == null ? current.failure() : unreplaced;
  }

  @Override
  public long diskBytes() {
    return current.diskBytes();
  }

  @Override
  public void close() {
    current.close();
  }

  /** A snapshot of the current store, which is not replaced before it is closed. */
  private final class Use implements Snapshot {
    private final Snapshot rows;

    private Use(Snapshot rows) {
      this.rows = rows;
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
      return rows.get(key);
    }

    @Override
    public List<byte @Nullable []> getAll(List<byte[]> keys) {
      return rows.getAll(keys);
    }

    @Override
    public Rows scan(byte[] from, byte[] to) {
      return rows.scan(from, to);
    }

    @Override
    public Rows scanBack(byte[] from, byte[] to) {
      return rows.scanBack(from, to);
    }

    @Override
    public void close() {
      try {
        rows.close();
      } finally {
        uses.release();
      }
    }
  }
}
