package io.holdfast.engine;

import io.holdfast.engine.logic.Invariants;
import io.holdfast.engine.logic.LogicLimits;
import io.holdfast.engine.logic.StateReader;
import io.holdfast.engine.store.RocksStore;
import io.holdfast.engine.store.RocksTuning;
import io.holdfast.engine.store.Snapshot;
import io.holdfast.engine.store.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A look at the data directory of a broker that does not run: whether its rows keep what {@link
 * Invariants} say, and whether a broker could open it. No row is changed.
 */
public final class Verify {
  private Verify() {}

  /**
   * What was found.
   *
   * @param rows how many rows each table has, by its name
   * @param messages how many messages lie in lanes
   * @param violations what is wrong, in words; the first ones only
   */
  public record Report(Map<String, Long> rows, long messages, List<String> violations) {
    public boolean isSound() {
      return violations.isEmpty();
    }
  }

  /**
   * Looks at a data directory.
   *
   * @throws StoreException if there is no store, if it is open elsewhere, or too damaged to be read
   */
  public static Report directory(Path directory) {
    if (!Files.exists(directory.resolve("CURRENT"))) {
      throw new StoreException("There is no store in " + directory + ".", null);
    }
    try (RocksStore store = RocksStore.open(directory, RocksTuning.MODEST);
        Snapshot rows = store.snapshot()) {
      Invariants.Report found = Invariants.check(rows);
      List<String> violations = new ArrayList<>(found.violations());
      try {
        StateReader.read(rows, new LogicLimits(0, 0, 0, 0, 0));
      } catch (RuntimeException unreadable) {
        violations.add("a broker could not open it: " + unreadable.getMessage());
      }
      return new Report(found.rows(), found.messages(), List.copyOf(violations));
    }
  }
}
