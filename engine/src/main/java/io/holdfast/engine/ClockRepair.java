package io.holdfast.engine;

import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
import io.holdfast.engine.logic.ClockShift;
import io.holdfast.engine.logic.StateReader;
import io.holdfast.engine.store.ClosedStore;
import io.holdfast.engine.store.RocksStore;
import io.holdfast.engine.store.RocksTuning;
import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Snapshot;
import io.holdfast.engine.store.Store;
import io.holdfast.engine.store.StoreException;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.store.Tx;
import io.holdfast.engine.store.View;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sets the clock of a broker that does not run back to the wall clock, after that was wrong by much
 * for a while: otherwise the broker stays in the future, because its time never goes back.
 *
 * <p>{@link ClockShift} says what becomes of each row. The rows are written in batches, each with
 * the place up to which all are done; a repair that was interrupted has to be run again to its end
 * before a broker opens the store.
 */
public final class ClockRepair {
  /** A clock that is ahead by less catches up by itself, within hours. */
  public static final long AHEAD_MS_MIN = 60_000;

  private static final int BATCH_ROWS_MAX = 10_000;
  private static final long BATCH_BYTES_MAX = 8 << 20;

  private ClockRepair() {}

  /**
   * What was changed, or would be.
   *
   * @param lastMs the last time that the broker gave out
   * @param wallMs the time to which it is set back
   * @param isNeeded whether the difference is large enough to be repaired
   * @param rows how many rows change, by table
   */
  public record Report(long lastMs, long wallMs, boolean isNeeded, Map<String, Long> rows) {}

  /** How far a repair has come, as its row of meta contains it. */
  private record Progress(long lastMs, long wallMs, byte[] next) {
    byte[] row() {
      return new ByteWriter(next.length + 24).varint(lastMs).varint(wallMs).bytes(next).done();
    }

    static @Nullable Progress of(View rows, long wallMs) {
      StateReader.checkFormat(rows);
      byte[] row = rows.get(ClockShift.META_REPAIR);
      if (row != null) {
        ByteReader in = new ByteReader(row);
        return new Progress(in.varint(), in.varint(), in.bytes());
      }
      long lastMs = ClockShift.lastMs(rows);
      return lastMs - wallMs < AHEAD_MS_MIN
          ? null
          : new Progress(lastMs, wallMs, Tables.start(Tables.QUEUES));
    }
  }

  /**
   * Counts what a repair would change, and changes nothing.
   *
   * @throws StoreException if there is no store, or a broker has it open
   */
  public static Report dryRun(Path directory, long wallMs) {
    try (ClosedStore store = ClosedStore.at(directory)) {
      String damage = store.open();
      if (damage != null) {
        throw new StoreException(damage, null);
      }
      try (Snapshot rows = store.rows()) {
        Progress progress = Progress.of(rows, wallMs);
        return progress == null ? notNeeded(rows, wallMs) : new Walk(rows, progress).count();
      }
    }
  }

  /**
   * Repairs the clock of a store, or finishes a repair that was interrupted.
   *
   * @param wallMs the right time, now
   * @throws StoreException if there is no store, or a broker has it open
   */
  public static Report run(Path directory, long wallMs) {
    // Otherwise a store would be made where there is none.
    ClosedStore.at(directory).close();
    try (RocksStore store = RocksStore.open(directory, RocksTuning.MODEST)) {
      return run(store, wallMs);
    }
  }

  /** The same for a store that the caller opened and that no broker uses. */
  public static Report run(Store store, long wallMs) {
    return run(store, wallMs, BATCH_ROWS_MAX);
  }

  static Report run(Store store, long wallMs, int batchRows) {
    try (Snapshot rows = store.snapshot()) {
      Progress progress = Progress.of(rows, wallMs);
      if (progress == null) {
        return notNeeded(rows, wallMs);
      }
      Walk walk = new Walk(rows, progress);
      boolean more = true;
      while (more) {
        Tx batch = store.begin();
        more = walk.change(batch, batchRows);
        store.write(batch, true);
      }
      return walk.report();
    }
  }

  private static Report notNeeded(View rows, long wallMs) {
    return new Report(ClockShift.lastMs(rows), wallMs, false, Map.of());
  }

  /** A walk over all rows, from where it was interrupted on. */
  private static final class Walk {
    private final View rows;
    private final Progress begin;
    private final ClockShift shift;
    private final Map<String, Long> changed = new TreeMap<>();
    private byte[] next;

    Walk(View rows, Progress begin) {
      this.rows = rows;
      this.begin = begin;
      this.shift = new ClockShift(begin.lastMs, begin.wallMs);
      this.next = begin.next;
    }

    Report report() {
      return new Report(begin.lastMs, begin.wallMs, true, changed);
    }

    Report count() {
      try (Rows each = rows.scan(next, Tables.start(Tables.END))) {
        while (each.next()) {
          moved(each.key(), each.value(), rows);
        }
      }
      return report();
    }

    /** Puts the next changed rows into a batch; answers whether there are more. */
    boolean change(Tx batch, int batchRows) {
      try (Rows each = rows.scan(next, Tables.start(Tables.END))) {
        for (int left = batchRows; left > 0 && batch.bytes() < BATCH_BYTES_MAX; left--) {
          if (!each.next()) {
            ClockShift.Row last = shift.last(rows);
            batch.put(last.key(), last.value());
            batch.delete(ClockShift.META_REPAIR);
            return false;
          }
          byte[] key = each.key();
          ClockShift.Row row = moved(key, each.value(), batch);
          if (row != null) {
            batch.delete(key);
            batch.put(row.key(), row.value());
          }
          next = Arrays.copyOf(key, key.length + 1);
        }
      }
      batch.put(ClockShift.META_REPAIR, new Progress(begin.lastMs, begin.wallMs, next).row());
      return true;
    }

    private ClockShift.@Nullable Row moved(byte[] key, byte[] value, View now) {
      ClockShift.Row row = shift.row(key, value, now);
      if (row != null) {
        changed.merge(Tables.title(key[0]), 1L, Long::sum);
      }
      return row;
    }
  }
}
