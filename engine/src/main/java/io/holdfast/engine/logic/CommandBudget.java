package io.holdfast.engine.logic;

import io.holdfast.engine.command.ShardLimits;
import io.holdfast.engine.store.Tx;

/**
 * How many rows and bytes one command may read and write in its loops, counted over all of them.
 *
 * <p>Every loop whose length depends on what is stored asks a {@link Loop} before each step. When
 * the budget is spent, the rest is left to a later command or tick. Rows that a command writes are
 * counted by themselves; rows that it reads, and index rows that the end of the batch will write
 * for it, are reported to {@link #spend}.
 *
 * <p>Invariant: what is counted depends on the rows alone, never on a cache, so that every replica
 * stops at the same step.
 */
final class CommandBudget {
  /** The loops of one command end once they have read and written this many bytes. */
  static final long BYTES_MAX = 4L << 20;

  /**
   * The same for upkeep: work that is due, sweeps, partitions to refresh. It is less, because
   * requests wait for it that have nothing to do with it.
   */
  private static final long UPKEEP_BYTES_MAX = 1L << 20;

  /** How many times more rows a request may read and write than upkeep. */
  private static final int UPKEEP_DIVISOR = 10;

  private final Tx tx;
  private final int rowsMax;
  private final long bytesMax;
  private final int writesBefore;
  private final long bytesBefore;
  private int rows;
  private long bytes;

  private CommandBudget(Tx tx, int rowsMax, long bytesMax) {
    this.tx = tx;
    this.rowsMax = rowsMax;
    this.bytesMax = bytesMax;
    this.writesBefore = tx.writes();
    this.bytesBefore = tx.bytes();
  }

  /** The budget of what a request asks for. */
  static CommandBudget ofRequest(Tx tx, ShardLimits limits) {
    return new CommandBudget(tx, limits.commandRowsMax(), BYTES_MAX);
  }

  /** The budget of upkeep, which spends none of the request's. */
  static CommandBudget ofUpkeep(Tx tx, ShardLimits limits) {
    return new CommandBudget(tx, upkeepRowsMax(limits), UPKEEP_BYTES_MAX);
  }

  static int upkeepRowsMax(ShardLimits limits) {
    return Math.max(1, limits.commandRowsMax() / UPKEEP_DIVISOR);
  }

  boolean isSpent() {
    return rows + tx.writes() - writesBefore >= rowsMax
        || bytes + tx.bytes() - bytesBefore >= bytesMax;
  }

  /** Counts rows that the command did not write itself, with the bytes of their values. */
  void spend(int moreRows, long moreBytes) {
    rows += moreRows;
    bytes += moreBytes;
  }

  /** A loop that spends this budget. */
  Loop loop() {
    return new Loop();
  }

  /** One loop of a command. Its first step is always allowed: no command makes no progress. */
  final class Loop {
    private boolean begun;

    /** Whether the loop may do its next step. */
    boolean mayContinue() {
      if (begun && isSpent()) {
        return false;
      }
      begun = true;
      return true;
    }
  }
}
