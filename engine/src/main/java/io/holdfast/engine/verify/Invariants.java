package io.holdfast.engine.verify;

import io.holdfast.api.message.Message;
import io.holdfast.engine.store.View;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What must hold of the rows of a store between two batches, checked row by row: the invariants of
 * {@link io.holdfast.engine.store.Tables}, and that every count is the count of rows it stands for.
 *
 * <p>Not checked, because a change of a queue's options may leave it behind: that an ordered
 * subscription has one lease only.
 */
public final class Invariants {
  private Invariants() {}

  /** Somebody who follows a check. */
  public interface Watcher {
    /** Does not care. */
    Watcher NONE =
        new Watcher() {
          @Override
          public void row(String table, long rows) {}

          @Override
          public @Nullable String sealed(Message stored) {
            return null;
          }
        };

    /** A row was read; so many of its table were by now. */
    void row(String table, long rows);

    /** What is wrong with the envelope that a message has for a payload; null if nothing is. */
    @Nullable String sealed(Message stored);
  }

  /**
   * What was found in a store.
   *
   * @param rows how many rows each table has, by its name
   * @param messages how many messages lie in lanes
   * @param sealed how many payloads are sealed, wherever they lie, by the id of the key
   * @param violations what does not hold, in words; the first ones only
   * @param count how many there are in all
   */
  public record Report(
      Map<String, Long> rows,
      long messages,
      Map<String, Long> sealed,
      List<String> violations,
      long count) {
    public Report {
      violations = List.copyOf(violations);
    }

    public boolean isSound() {
      return count == 0;
    }
  }

  public static Report check(View view) {
    return check(view, Watcher.NONE);
  }

  /**
   * Reads every row of a view once, and some of them again. It ends early if the rows of a table
   * cannot be read to their end: then what others say of them cannot be compared.
   */
  public static Report check(View view, Watcher watcher) {
    Inspection inspection = new Inspection(view, watcher);
    Inventory inventory = new Inventory(inspection);
    try {
      inventory.read();
      new LaneInvariants(inspection, inventory).check();
      new GroupInvariants(inspection, inventory).check();
      new DeadInvariants(inspection, inventory).check();
      new LogInvariants(inspection, inventory).check();
      inspection.checkStrangers();
      inventory.checkCounts();
    } catch (Inspection.Unreadable noted) {
      return inspection.report();
    }
    return inspection.report();
  }
}
