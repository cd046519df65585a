package io.holdfast.engine;

import io.holdfast.engine.logic.AppliedRow;
import io.holdfast.engine.store.ClosedStore;
import io.holdfast.engine.store.RocksStore;
import io.holdfast.engine.store.RocksTuning;
import io.holdfast.engine.store.Snapshot;
import io.holdfast.engine.store.StoreException;
import io.holdfast.engine.store.Tx;
import java.nio.file.Path;

/** Copies the data of a broker that does not run, for a cluster whose log begins anew. */
public final class NewLog {
  private NewLog() {}

  /**
   * Copies the data into a new directory. The copy has applied nothing of the new log.
   *
   * @throws StoreException if there is no store, a broker has it open, or it cannot be copied
   */
  public static void copy(Path from, Path to) {
    // Otherwise a store would be made where there is none.
    ClosedStore.at(from).close();
    try (RocksStore store = RocksStore.open(from, RocksTuning.MODEST)) {
      store.checkpoint(to);
    }
    try (RocksStore copy = RocksStore.open(to, RocksTuning.MODEST)) {
      Tx batch = copy.begin();
      try (Snapshot rows = copy.snapshot()) {
        if (rows.get(AppliedRow.KEY) == null) {
          throw new StoreException(
              "The directory "
                  + from
                  + " contains no rows: no broker has stored anything in it yet. A node of a"
                  + " cluster stores what it has applied when it is stopped by a signal, or when a"
                  + " checkpoint is made.",
              null);
        }
        batch.put(AppliedRow.KEY, AppliedRow.of(rows).inNewLog().bytes());
      }
      copy.write(batch, true);
      copy.flush();
    }
  }
}
