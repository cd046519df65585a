package io.holdfast.engine.logic;

import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
import io.holdfast.engine.command.LogPosition;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.store.View;

/**
 * The row of meta that contains how far the log has been applied. It is written with the rows of
 * each batch, so a store contains exactly the entries up to it.
 *
 * @param index the number of commands that were applied
 * @param lastMs the time of the last one
 * @param position the last entry
 */
public record AppliedRow(long index, long lastMs, LogPosition position) {
  public static final byte[] KEY = Tables.meta("applied");

  private static final AppliedRow NONE = new AppliedRow(0, 0, LogPosition.START);

  public static AppliedRow of(View rows) {
    byte[] row = rows.get(KEY);
    return row == null ? NONE : read(row);
  }

  public static AppliedRow read(byte[] row) {
    ByteReader in = new ByteReader(row);
    return new AppliedRow(in.varint(), in.varint(), new LogPosition(in.varint(), in.varint()));
  }

  /** The same with another time. */
  AppliedRow lastMs(long ms) {
    return new AppliedRow(index, ms, position);
  }

  /** The same in another log, of which nothing has been applied. */
  public AppliedRow inNewLog() {
    return new AppliedRow(index, lastMs, LogPosition.START);
  }

  public byte[] bytes() {
    ByteWriter out = new ByteWriter(24).varint(index).varint(lastMs);
    return out.varint(position.term()).varint(position.index()).done();
  }
}
