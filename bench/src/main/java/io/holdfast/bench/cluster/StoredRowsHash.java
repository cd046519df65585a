package io.holdfast.bench.cluster;

import io.holdfast.engine.logic.AppliedRow;
import io.holdfast.engine.store.ClosedStore;
import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Snapshot;
import io.holdfast.engine.store.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * What the rows of a stopped node are.
 *
 * @param position the last entry that they contain
 */
record StoredRowsHash(String position, long rows, long hash) {
  private static StoredRowsHash of(ServeNode node) {
    CRC32C hash = new CRC32C();
    long count = 0;
    try (ClosedStore store = ClosedStore.at(node.data().resolve("data"))) {
      String damage = store.open();
      if (damage != null) {
        throw new IllegalStateException("the rows of " + node.name + " are damaged: " + damage);
      }
      try (Snapshot rows = store.rows();
          Rows all = rows.scan(Tables.start((byte) 0), Tables.start(Tables.END))) {
        while (all.next()) {
          hash.update(all.key());
          hash.update(all.value());
          count++;
        }
        return new StoredRowsHash(
            AppliedRow.of(rows).position().toString(), count, hash.getValue());
      }
    }
  }

  /** A line for each node whose rows are not those of the first one. */
  static List<String> differences(List<ServeNode> nodes) {
    List<String> found = new ArrayList<>();
    StoredRowsHash first = of(nodes.getFirst());
    for (ServeNode node : nodes.subList(1, nodes.size())) {
      StoredRowsHash own = of(node);
      if (!own.equals(first)) {
        found.add(
            "the rows of "
                + node.name
                + " ("
                + own
                + ") are not those of "
                + nodes.getFirst().name
                + " ("
                + first
                + ")");
      }
    }
    return found;
  }
}
