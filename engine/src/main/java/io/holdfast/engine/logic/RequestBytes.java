package io.holdfast.engine.logic;

import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.store.Tx;
import io.holdfast.engine.store.View;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How many bytes the answers to request ids take, by the period in which they become invalid.
 *
 * <p>Invariant: between two batches a function of the table requests, in which the row of each
 * period without an id holds its count.
 */
final class RequestBytes {
  private final TreeMap<Long, Long> byPeriod = new TreeMap<>();
  private final TreeSet<Long> dirty = new TreeSet<>();

  private static long period(long ms) {
    return ms / LogicLimits.REQUEST_MS;
  }

  private static byte[] key(long period) {
    return Tables.timed(Tables.REQUESTS, 0, period);
  }

  void open(View rows, long nowMs) {
    for (long each = period(nowMs); each <= period(nowMs) + 1; each++) {
      byte[] row = rows.get(key(each));
      if (row != null) {
        ByteReader in = TimedRows.content(row);
        byPeriod.put(each, in.varint());
      }
    }
  }

  void add(long untilMs, int size) {
    byPeriod.merge(period(untilMs), (long) size, Long::sum);
    dirty.add(period(untilMs));
  }

  /** The bytes of the periods that are not over. */
  long sum(long nowMs) {
    long sum = 0;
    for (long each : byPeriod.tailMap(period(nowMs), true).values()) {
      sum += each;
    }
    return sum;
  }

  /** Forgets the periods that are over, whose rows are being deleted. */
  void deleteExpired(long nowMs) {
    byPeriod.headMap(period(nowMs)).clear();
    dirty.headSet(period(nowMs)).clear();
  }

  boolean isDirty() {
    return !dirty.isEmpty();
  }

  void flush(Tx tx) {
    for (long each : dirty) {
      long untilMs = (each + 1) * LogicLimits.REQUEST_MS - 1;
      tx.put(key(each), TimedRows.row(untilMs).varint(byPeriod.getOrDefault(each, 0L)).done());
    }
    dirty.clear();
  }
}
