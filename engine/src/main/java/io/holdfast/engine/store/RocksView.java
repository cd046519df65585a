package io.holdfast.engine.store;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** The rows of a RocksDB: those of the moment of each read, or all of one moment. */
final class RocksView implements Snapshot {
  private final RocksDB db;
  private final org.rocksdb.@Nullable Snapshot moment;
  private final ReadOptions options;

  private RocksView(RocksDB db, org.rocksdb.@Nullable Snapshot moment) {
    this.db = db;
    this.moment = moment;
    this.options = new ReadOptions();
    if (moment != null) {
      options.setSnapshot(moment);
    }
  }

  static RocksView latest(RocksDB db) {
    return new RocksView(db, null);
  }

  static RocksView ofThisMoment(RocksDB db) {
    return new RocksView(db, db.getSnapshot());
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    try {
      return db.get(options, key);
    } catch (RocksDBException e) {
      throw RocksFailure.ofRead(e);
    }
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys) {
    if (keys.isEmpty()) {
      return List.of();
    }
    try {
      return new ArrayList<byte @Nullable []>(db.multiGetAsList(options, keys));
    } catch (RocksDBException e) {
      throw RocksFailure.ofRead(e);
    }
  }

  @Override
  public Rows scan(byte[] from, byte[] to) {
    return new RocksRows(db, moment, from, to, false);
  }

  @Override
  public Rows scanBack(byte[] from, byte[] to) {
    return new RocksRows(db, moment, from, to, true);
  }

  @Override
  public void close() {
    options.close();
    if (moment != null) {
      db.releaseSnapshot(moment);
      moment.close();
    }
  }
}
