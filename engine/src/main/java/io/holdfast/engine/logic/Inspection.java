package io.holdfast.engine.logic;

import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.store.View;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A walk over all tables of a store that notes what does not hold. */
final class Inspection {
  private static final int VIOLATIONS_MAX = 100;

  private static final List<String> TITLES =
      List.of(
          "meta",
          "queues",
          "partitions",
          "messages",
          "holes",
          "names",
          "moved",
          "delayed",
          "agenda",
          "groups",
          "cursors",
          "returned",
          "leases",
          "ended",
          "dead",
          "deadIds",
          "tasks",
          "journals",
          "lengths",
          "records",
          "requests");

  final View view;
  private final Map<String, Long> rows = new LinkedHashMap<>();
  private final List<String> violations = new ArrayList<>();
  long messages;

  Inspection(View view) {
    this.view = view;
    TITLES.forEach(title -> rows.put(title, 0L));
  }

  interface Row {
    void read(byte[] key, byte[] value);
  }

  /** Visits the rows of a table; one that cannot be understood is noted and passed over. */
  void each(byte table, Row row) {
    try (Rows each = view.scan(Tables.start(table), Tables.end(table))) {
      while (each.next()) {
        rows.merge(title(table), 1L, Long::sum);
        byte[] key = each.key();
        try {
          row.read(key, each.value());
        } catch (RuntimeException broken) {
          note(table, key, "cannot be read (" + broken + ")");
        }
      }
    }
  }

  private static String title(byte table) {
    return TITLES.get(table - 1);
  }

  void require(boolean holds, byte table, byte[] key, String otherwise) {
    if (!holds) {
      note(table, key, otherwise);
    }
  }

  void note(byte table, byte[] key, String what) {
    note("row " + HexFormat.of().formatHex(key, 1, key.length) + " of " + title(table), what);
  }

  void note(String where, String what) {
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
    return new Invariants.Report(rows, messages, violations);
  }
}
