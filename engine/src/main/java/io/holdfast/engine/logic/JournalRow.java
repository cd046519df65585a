package io.holdfast.engine.logic;

import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.store.Tx;
import io.holdfast.engine.store.View;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of journals: each holds events that were appended together, one after the other, each behind
 * its length. The position of the first one is in the row's key.
 */
public final class JournalRow {
  /** A row is closed once it is this large; one event may be larger. */
  private static final int BYTES_MAX = 64 * 1024;

  /** Journals of up to this many rows are deleted row by row, longer ones as a range. */
  private static final int DELETE_POINTS_MAX = 64;

  private JournalRow() {}

  /** Appends events at a position; answers the position behind them. */
  static long append(Tx tx, String journal, long position, List<byte[]> events) {
    long first = position;
    ByteWriter row = new ByteWriter(64);
    for (int i = 0; i < events.size(); i++) {
      row.bytes(events.get(i));
      if (row.size() >= BYTES_MAX || i == events.size() - 1) {
        tx.put(Tables.journal(journal, first), row.done());
        first = position + i + 1;
        row = new ByteWriter(64);
      }
    }
    return first;
  }

  public static List<byte[]> events(byte[] row) {
    List<byte[]> events = new ArrayList<>();
    for (ByteReader in = new ByteReader(row); !in.atEnd(); ) {
      events.add(in.bytes());
    }
    return events;
  }

  /**
   * The events of a journal from a position to before another one; at least one, but fewer if they
   * are large.
   */
  public static List<byte[]> read(View view, String journal, long from, long end) {
    List<byte[]> events = new ArrayList<>();
    try (Rows rows = view.scan(begin(view, journal, from), Tables.journal(journal, end))) {
      long bytes = 0;
      while (bytes < LogicLimits.PAGE_BYTES_MAX && rows.next()) {
        long position = Tables.journalPosition(rows.key());
        byte[] row = rows.value();
        bytes += row.length;
        for (byte[] event : events(row)) {
          if (position >= from && position < end) {
            events.add(event);
          }
          position++;
        }
      }
    }
    return events;
  }

  /** The key of the row that holds the event at a position. */
  private static byte[] begin(View view, String journal, long position) {
    byte[] first = Tables.journal(journal, 0);
    if (position == 0) {
      return first;
    }
    try (Rows rows = view.scanBack(first, Tables.journal(journal, position + 1))) {
      return rows.next() ? rows.key() : first;
    }
  }

  /** Deletes the events of a journal of that length. */
  static void delete(Tx tx, String journal, long length) {
    byte[] from = Tables.journal(journal, 0);
    byte[] to = Tables.journal(journal, length);
    List<byte[]> keys = new ArrayList<>();
    try (Rows rows = tx.scan(from, to)) {
      while (keys.size() <= DELETE_POINTS_MAX && rows.next()) {
        keys.add(rows.key());
      }
    }
    if (keys.size() > DELETE_POINTS_MAX) {
      tx.deleteRange(from, to);
    } else {
      keys.forEach(tx::delete);
    }
  }
}
