package io.holdfast.bench.engine;

import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.Payload;
import io.holdfast.engine.EngineConfig.Durability;
import java.nio.ByteBuffer;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * The measure of the others: RocksDB as it comes, one row for each 100-byte message, 1,000 rows a
 * write, each write as durable as the run asks for, one thread.
 */
final class RocksProbe implements EngineBench {
  static final String NAME = "rocksdb-probe";

  private static final int ROWS = 1_000;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Measured run(Setting setting) {
    RocksDB.loadLibrary();
    boolean sync = setting.durability() == Durability.FSYNC;
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, setting.fresh(NAME).toString());
        WriteOptions writes = new WriteOptions().setSync(sync)) {
      long warmed = write(db, writes, 0, setting.warmUpMs());
      long start = System.nanoTime();
      long end = write(db, writes, warmed, setting.measuredMs());
      double rate = (end - warmed) * 1e9 / (System.nanoTime() - start);
      if (db.get(key(end - 1)) == null) {
        throw new CheckFailedException("RocksDB does not have the row it wrote last");
      }
      return Measured.messages(rate, "bare RocksDB, a row each, 1,000 a write");
    } catch (RocksDBException e) {
      throw new IllegalStateException("the RocksDB probe failed", e);
    }
  }

  /** Writes rows from a number on for a time; answers the number after the last. */
  private static long write(RocksDB db, WriteOptions writes, long from, long millis)
      throws RocksDBException {
    long end = System.nanoTime() + millis * 1_000_000;
    long next = from;
    while (System.nanoTime() < end) {
      try (WriteBatch batch = new WriteBatch()) {
        for (int i = 0; i < ROWS; i++, next++) {
          batch.put(key(next), Payload.of(0, next));
        }
        db.write(writes, batch);
      }
    }
    return next;
  }

  private static byte[] key(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }
}
