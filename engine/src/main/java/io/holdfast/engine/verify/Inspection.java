package io.holdfast.engine.verify;

import io.holdfast.api.message.Message;
import io.holdfast.engine.command.Chunk;
import io.holdfast.engine.command.Envelope;
import io.holdfast.engine.logic.Finder;
import io.holdfast.engine.logic.Partition;
import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.StoreException;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.store.View;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A walk over all tables of a store that notes what does not hold. */
final class Inspection {
  private static final int VIOLATIONS_MAX = 100;

  /** The rows of a table cannot be read to their end, which is noted. */
  static final class Unreadable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unreadable(StoreException cause) {
      super(cause);
    }
  }

  final View view;
  private final Invariants.Watcher watcher;
  private final Map<String, Long> rows = new LinkedHashMap<>();
  private final Map<String, Long> sealed = new TreeMap<>();
  private final List<String> violations = new ArrayList<>();
  private long count;
  long messages;

  Inspection(View view, Invariants.Watcher watcher) {
    this.view = view;
    this.watcher = watcher;
    Tables.TITLES.forEach(title -> rows.put(title, 0L));
  }

  interface Row {
    void read(byte[] key, byte[] value);
  }

  /** Visits the rows of a table; one that cannot be understood is noted and passed over. */
  void each(byte table, Row row) {
    String title = Tables.title(table);
    try (Rows each = view.scan(Tables.start(table), Tables.end(table))) {
      while (each.next()) {
        watcher.row(title, rows.merge(title, 1L, Long::sum));
        byte[] key = each.key();
        try {
          row.read(key, each.value());
        } catch (RuntimeException broken) {
          note(table, key, "cannot be read (" + broken + ")");
        }
      }
    } catch (StoreException unreadable) {
      note(
          "table " + title,
          "it cannot be read behind its first "
              + rows.get(title)
              + " rows, and what is said of"
              + " them was not compared: "
              + unreadable.getMessage());
      throw new Unreadable(unreadable);
    }
  }

  /** Rows that belong to no table. */
  void checkStrangers() {
    for (byte[][] range :
        List.of(
            new byte[][] {{0}, Tables.start(Tables.META)},
            new byte[][] {Tables.start(Tables.END), {(byte) 0xff, (byte) 0xff}})) {
      try (Rows each = view.scan(range[0], range[1])) {
        while (each.next()) {
          note("row " + HexFormat.of().formatHex(each.key()), "there is no such table");
        }
      }
    }
  }

  /** Counts a message by its key if it is sealed, and has its envelope looked at. */
  void seal(byte[] key, Partition partition, int lane, long seq, Chunk chunk, int offset) {
    if (chunk.isSealed(offset)) {
      Message stored = Finder.message(partition, lane, seq, chunk, offset, null);
      sealed.merge(Envelope.keyText(chunk.keyId(offset)), 1L, Long::sum);
      String problem = watcher.sealed(stored);
      require(problem == null, key[0], key, String.valueOf(problem));
    }
  }

  void require(boolean holds, byte table, byte[] key, String otherwise) {
    if (!holds) {
      note(table, key, otherwise);
    }
  }

  void note(byte table, byte[] key, String what) {
    note(
        "row " + HexFormat.of().formatHex(key, 1, key.length) + " of " + Tables.title(table), what);
  }

  void note(String where, String what) {
    count++;
    if (violations.size() < VIOLATIONS_MAX) {
      violations.add(where + ": " + what);
    }
  }

  void same(String where, String what, long expected, long counted) {
    if (expected != counted) {
      note(where, what + " says " + expected + ", but the rows say " + counted);
    }
  }

  Invariants.Report report() {
    return new Invariants.Report(rows, messages, sealed, violations, count);
  }
}
