package io.holdfast.engine.store;

import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/** A walk over the rows of a RocksDB as they were when it was opened. */
final class RocksRows implements Rows {
  // Bounds, so that a walk never steps over what was deleted beyond its end.
  private final Slice lower;
  private final Slice upper;
  private final ReadOptions options;
  private final RocksIterator iterator;
  private final boolean back;
  private boolean begun;
  private byte @Nullable [] key;

  RocksRows(
      RocksDB db, org.rocksdb.@Nullable Snapshot snapshot, byte[] from, byte[] to, boolean back) {
    this.lower = new Slice(from);
    this.upper = new Slice(to);
    this.options = new ReadOptions().setIterateLowerBound(lower).setIterateUpperBound(upper);
    if (snapshot != null) {
      options.setSnapshot(snapshot);
    }
    this.iterator = db.newIterator(options);
    this.back = back;
  }

  @Override
  public boolean next() {
    step();
    if (iterator.isValid()) {
      key = iterator.key();
      return true;
    }
    key = null;
    try {
      iterator.status();
    } catch (RocksDBException e) {
      throw RocksFailure.ofRead(e);
    }
    return false;
  }

  private void step() {
    if (begun) {
      if (key == null) {
        return;
      }
      if (back) {
        iterator.prev();
      } else {
        iterator.next();
      }
    } else {
      begun = true;
      if (back) {
        iterator.seekToLast();
      } else {
        iterator.seekToFirst();
      }
    }
  }

  @Override
  public byte[] key() {
    if (key == null) {
      throw new IllegalStateException("the walk stands on no row");
    }
    return key;
  }

  @Override
  public byte[] value() {
    if (key == null) {
      throw new IllegalStateException("the walk stands on no row");
    }
    return iterator.value();
  }

  @Override
  public void close() {
    iterator.close();
    options.close();
    upper.close();
    lower.close();
  }
}
