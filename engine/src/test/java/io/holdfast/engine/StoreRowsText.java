package io.holdfast.engine;

import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Snapshot;
import io.holdfast.engine.store.Store;
import io.holdfast.engine.store.Tables;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** All rows of a store as text, to compare nodes of a cluster. */
final class StoreRowsText {
  private static final HexFormat HEX = HexFormat.of();

  private StoreRowsText() {}

  static List<String> of(Store store) {
    List<String> found = new ArrayList<>();
    try (Snapshot snapshot = store.snapshot();
        Rows rows = snapshot.scan(Tables.start((byte) 0), Tables.start(Tables.END))) {
      while (rows.next()) {
        found.add(HEX.formatHex(rows.key()) + "=" + HEX.formatHex(rows.value()));
      }
    }
    return found;
  }
}
