package io.holdfast.engine.store;

import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/**
 * A store in memory: what was written is gone with the process.
 *
 * <p>Its rows are a map that never changes: a batch makes another one of it, which shares what is
 * the same. So a snapshot costs nothing, and sees all of a batch or none of it.
 */
public final class MemoryStore implements Store {
  private final Overlay overlay;
  private volatile TreePMap<byte[], byte[]> rows;
  private volatile @Nullable StoreException failure;

  public MemoryStore() {
    this(TreePMap.empty(Arrays::compareUnsigned));
  }

  private MemoryStore(TreePMap<byte[], byte[]> rows) {
    this.rows = rows;
    this.overlay = new Overlay(new MemoryView(() -> this.rows), null);
  }

  /** Another store, with the rows that are written in this one, as after a crash and a restart. */
  public MemoryStore reopen() {
    return new MemoryStore(rows);
  }

  /** Lets every later write fail as a broken disk would. */
  public void failWrites(StoreException cause) {
    failure = cause;
  }

  @Override
  public Tx begin() {
    return overlay.begin();
  }

  @Override
  public void write(Tx tx, boolean sync) {
    StoreException cause = failure;
    if (cause != null) {
      throw new StoreException("The store takes no batch after one that failed. " + cause, cause);
    }
    OverlayTx batch = overlay.check(tx);
    Apply apply = new Apply(rows);
    batch.log().visit(apply);
    rows = apply.rows;
    overlay.written(batch);
  }

  /** Its rows are gone with the process anyway. */
  @Override
  public void flush() {}

  @Override
  public Snapshot snapshot() {
    TreePMap<byte[], byte[]> now = rows;
    return new MemoryView(() -> now);
  }

  @Override
  public void checkpoint(Path directory) {
    throw new StoreException(
        "A store in memory cannot be copied into " + directory + ": start one on a disk.", null);
  }

  @Override
  public void reclaim(byte[] from, byte[] to) {}

  @Override
  public long diskBytes() {
    return 0;
  }

  @Override
  public void close() {}

  /** The writes of a batch on a map. */
  private static final class Apply implements Writes.Visitor {
    private TreePMap<byte[], byte[]> rows;

    private Apply(TreePMap<byte[], byte[]> rows) {
      this.rows = rows;
    }

    @Override
    public void put(byte[] key, byte[] value) {
      rows = rows.plus(key, value);
    }

    @Override
    public void delete(byte[] key) {
      rows = rows.minus(key);
    }

    @Override
    public void deleteRange(byte[] from, byte[] to) {
      if (Arrays.compareUnsigned(from, to) < 0) {
        rows = rows.minusAll(rows.subMap(from, true, to, false).keySet());
      }
    }
  }
}
