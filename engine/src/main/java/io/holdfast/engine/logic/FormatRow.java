package io.holdfast.engine.logic;

import io.holdfast.api.ErrorCode;
import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
import io.holdfast.engine.command.FormatLevels;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.UnknownFormatException;
import io.holdfast.engine.store.StoreException;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.store.Tx;
import io.holdfast.engine.store.View;
import org.jspecify.annotations.Nullable;

/**
 * The format level of a shard, as a row of meta contains it. A new shard has the newest level that
 * is known.
 *
 * <p>Thread: the one that applies commands.
 */
public final class FormatRow {
  public static final byte[] KEY = Tables.meta("level");

  private final FormatLevels known;
  private int level;
  private boolean stored;
  private boolean raised;

  FormatRow(FormatLevels known) {
    this.known = known;
    this.level = known.newest();
  }

  /**
   * The level that the rows of a store have; null if none is stored.
   *
   * @throws StoreException if this version does not know it
   */
  static @Nullable Integer read(View view, FormatLevels known) {
    byte[] row = view.get(KEY);
    if (row == null) {
      return null;
    }
    int level = new ByteReader(row).count();
    if (!known.contains(level)) {
      throw new StoreException(known.explain("The store", level), null);
    }
    return level;
  }

  void read(View view) {
    Integer found = read(view, known);
    if (found != null) {
      level = found;
      stored = true;
    } else if (view.get(AppliedRow.KEY) != null) {
      throw new StoreException(
          "The store does not contain its format level. Restore it from a checkpoint.", null);
    }
  }

  int level() {
    return level;
  }

  /** Begins a new shard with the level of its first entry. */
  void begin(int first) {
    level = first;
  }

  /**
   * Makes sure that an entry was ordered on a level that the shard has reached.
   *
   * @throws UnknownFormatException if it was not
   */
  void check(int ofEntry) {
    known.check("An entry", ofEntry);
    if (ofEntry > level) {
      throw new UnknownFormatException(
          "An entry has format level "
              + ofEntry
              + ", and this shard has level "
              + level
              + ": the entry that raised the level is missing. Restore the shard from a snapshot"
              + " of another node, or from a checkpoint.");
    }
  }

  Reply raise(int to) {
    if (to < level) {
      return Turn.refused(
          ErrorCode.WRONG_STATE,
          "the format level is " + level + " and is never lowered; level " + to + " was asked for");
    }
    // Not refused: nodes that know the level raise it, and rows must not differ.
    known.check("The command RaiseFormat", to);
    raised |= level < to;
    level = to;
    return new Reply.RaisedFormat(to);
  }

  /** Whether the level was raised since it was stored. */
  boolean isDirty() {
    return raised;
  }

  void flush(Tx tx) {
    if (raised || !stored) {
      raised = false;
      stored = true;
      tx.put(KEY, new ByteWriter(16).varint(level).done());
    }
  }
}
