package io.holdfast.engine.logic;

import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.store.Tx;
import io.holdfast.engine.store.View;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a table that are valid until a time, found by an id, without an index in memory.
 *
 * <p>A row belongs to a class by how long it is kept, and its key contains the period in which it
 * becomes invalid. The periods of a class are as long as its rows are kept at most, so a valid row
 * is in the current period or in the next one, and an old period is deleted as a range.
 *
 * <p>Invariant: a row is found exactly until its time, whether old periods have been deleted or
 * not. A row begins with that time.
 */
public final class TimedRows {
  /** The periods of a class are this many times as long as those of the class before. */
  private static final int FACTOR = 4;

  /** Enough for the longest lease. */
  private static final int CLASSES = 7;

  /** The period of a class without rows. */
  private static final long NONE = Long.MAX_VALUE;

  private final byte table;
  private final long shortestMs;

  /** The first period of each class that has rows; a function of the table. */
  private final long[] oldest = new long[CLASSES];

  static TimedRows endedLeases() {
    return new TimedRows(Tables.ENDED, LogicLimits.ENDED_MS_MIN);
  }

  static TimedRows requests() {
    return new TimedRows(Tables.REQUESTS, LogicLimits.REQUEST_MS);
  }

  private TimedRows(byte table, long shortestMs) {
    this.table = table;
    this.shortestMs = shortestMs;
    Arrays.fill(oldest, NONE);
  }

  void open(View rows) {
    for (int i = 0; i < CLASSES; i++) {
      oldest[i] = oldest(rows, i, 0);
    }
  }

  private long oldest(View rows, int ofClass, long from) {
    byte[] end = Tables.timed(table, ofClass + 1, 0);
    try (Rows some = rows.scan(Tables.timed(table, ofClass, from), end)) {
      return some.next() ? Tables.timedPeriod(some.key()) : NONE;
    }
  }

  private long periodMs(int ofClass) {
    long ms = shortestMs;
    for (int i = 0; i < ofClass; i++) {
      ms *= FACTOR;
    }
    return ms;
  }

  private int classOf(long keptMs) {
    int ofClass = 0;
    while (periodMs(ofClass) < keptMs) {
      ofClass++;
    }
    return ofClass;
  }

  /** The valid row of an id, or null. */
  public byte @Nullable [] get(View rows, byte[] id, long nowMs) {
    for (int i = 0; i < CLASSES; i++) {
      if (oldest[i] == NONE) {
        continue;
      }
      long period = nowMs / periodMs(i);
      for (long each = period; each <= period + 1; each++) {
        byte[] row = rows.get(Tables.timed(table, i, each, id));
        if (row != null && untilMs(row) > nowMs) {
          return row;
        }
      }
    }
    return null;
  }

  /** Begins a row that is valid until a time. */
  static ByteWriter row(long untilMs) {
    return new ByteWriter(64).varint(untilMs);
  }

  public static long untilMs(byte[] row) {
    return new ByteReader(row).varint();
  }

  /** A reader behind the time with which a row begins. */
  public static ByteReader content(byte[] row) {
    ByteReader in = new ByteReader(row);
    in.varint();
    return in;
  }

  /** Stores a row, and returns how many bytes it takes. */
  int put(Turn turn, byte[] id, byte[] row) {
    long untilMs = untilMs(row);
    int ofClass = classOf(untilMs - turn.nowMs());
    long period = untilMs / periodMs(ofClass);
    oldest[ofClass] = Math.min(oldest[ofClass], period);
    byte[] key = Tables.timed(table, ofClass, period, id);
    turn.tx().put(key, row);
    return key.length + row.length;
  }

  boolean hasExpired(long nowMs) {
    for (int i = 0; i < CLASSES; i++) {
      if (oldest[i] < nowMs / periodMs(i)) {
        return true;
      }
    }
    return false;
  }

  /** Deletes the periods that are over. */
  void deleteExpired(Tx tx, long nowMs) {
    for (int i = 0; i < CLASSES; i++) {
      long period = nowMs / periodMs(i);
      if (oldest[i] < period) {
        tx.deleteRange(Tables.timed(table, i, 0), Tables.timed(table, i, period));
        oldest[i] = oldest(tx, i, period);
      }
    }
  }

  /** The key of a row whose time has changed. */
  byte[] moved(byte[] key, long untilMs) {
    int ofClass = key[1];
    return Tables.timed(
        table,
        ofClass,
        untilMs / periodMs(ofClass),
        Arrays.copyOfRange(key, Tables.TIMED_ID_AT, key.length));
  }
}
