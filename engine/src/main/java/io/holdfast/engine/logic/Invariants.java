package io.holdfast.engine.logic;

import io.holdfast.engine.store.View;
import java.util.List;
import java.util.Map;

/**
 * What must hold of the rows of a store between two batches, checked row by row: the invariants of
 * {@link io.holdfast.engine.store.Tables}, and that every count is the count of rows it stands for.
 *
 * <p>Not checked, because a change of a queue's options may leave it behind: that an ordered
 * subscription has one lease only.
 */
public final class Invariants {
  private Invariants() {}

  /**
   * What was found in a store.
   *
   * @param rows how many rows each table has, by its name
   * @param messages how many messages lie in lanes
   * @param violations what does not hold, in words; the first ones only
   */
  public record Report(Map<String, Long> rows, long messages, List<String> violations) {
    public Report {
      violations = List.copyOf(violations);
    }

    public boolean isSound() {
      return violations.isEmpty();
    }
  }

  /** Reads every row of a view once, and some of them again. */
  public static Report check(View view) {
    Inspection inspection = new Inspection(view);
    Inventory inventory = new Inventory(inspection);
    inventory.read();
    new LaneInvariants(inspection, inventory).check();
    new GroupInvariants(inspection, inventory).check();
    new DeadInvariants(inspection, inventory).check();
    new LogInvariants(inspection, inventory).check();
    inventory.checkCounts();
    return inspection.report();
  }
}
