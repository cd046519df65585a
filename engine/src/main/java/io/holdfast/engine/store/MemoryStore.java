package io.holdfast.engine.store;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** A store in memory: what was written is gone with the process. */
public final class MemoryStore implements Store {
  private final NavigableMap<byte[], byte[]> rows;
  private final Overlay overlay;
  private volatile @Nullable StoreException failure;

  public MemoryStore() {
    this(new ConcurrentSkipListMap<>(Arrays::compareUnsigned));
  }

  private MemoryStore(NavigableMap<byte[], byte[]> rows) {
    this.rows = rows;
    this.overlay = new Overlay(new MemoryView(rows), null);
  }

  /** Another store, with the rows that are written in this one, as after a crash and a restart. */
  public MemoryStore reopen() {
    NavigableMap<byte[], byte[]> copy = new ConcurrentSkipListMap<>(Arrays::compareUnsigned);
    synchronized (rows) {
      copy.putAll(rows);
    }
    return new MemoryStore(copy);
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
    synchronized (rows) {
      batch.log().visit(new Apply(rows));
    }
    overlay.written(batch);
  }

  @Override
  public Snapshot snapshot() {
    NavigableMap<byte[], byte[]> copy = new TreeMap<>(Arrays::compareUnsigned);
    synchronized (rows) {
      copy.putAll(rows);
    }
    return new MemoryView(copy);
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
  private record Apply(NavigableMap<byte[], byte[]> rows) implements Writes.Visitor {
    @Override
    public void put(byte[] key, byte[] value) {
      rows.put(key, value);
    }

    @Override
    public void delete(byte[] key) {
      rows.remove(key);
    }

    @Override
    public void deleteRange(byte[] from, byte[] to) {
      rows.subMap(from, true, to, false).clear();
    }
  }
}
