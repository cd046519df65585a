package io.holdfast.cluster;

import io.holdfast.engine.store.MemoryStore;
import io.holdfast.engine.store.Snapshot;
import io.holdfast.engine.store.Store;
import io.holdfast.engine.store.StoreException;
import io.holdfast.engine.store.Tx;
import java.nio.file.Path;

/** Rows in memory that can be written until a test says that the disk is full. */
final class FullDisk implements Store {
  private final Store rows = new MemoryStore();
  private volatile boolean full;

  void fill() {
    full = true;
  }

  @Override
  public Tx begin() {
    return rows.begin();
  }

  @Override
  public void write(Tx tx, boolean sync) {
    if (full) {
      throw new StoreException("The disk is full.", null);
    }
    rows.write(tx, sync);
  }

  @Override
  public Snapshot snapshot() {
    return rows.snapshot();
  }

  @Override
  public void checkpoint(Path directory) {
    rows.checkpoint(directory);
  }

  @Override
  public void flush() {
    rows.flush();
  }

  @Override
  public void reclaim(byte[] from, byte[] to) {
    rows.reclaim(from, to);
  }

  @Override
  public long diskBytes() {
    return rows.diskBytes();
  }

  @Override
  public void close() {
    rows.close();
  }
}
