package io.holdfast.engine.logic;

import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;

/**
 * A row of delayed: a message kept aside until it is due.
 *
 * @param atTime whether the user gave the time; otherwise it came of a delay
 */
public record Delayed(long visibleAtMs, boolean atTime, int lane, long createdMs, byte[] entry) {
  byte[] row() {
    ByteWriter out = new ByteWriter(entry.length + 24);
    out.varint(visibleAtMs).flag(atTime).varint(lane).varint(createdMs);
    return out.raw(entry, 0, entry.length).done();
  }

  public static Delayed read(byte[] row) {
    ByteReader in = new ByteReader(row);
    return new Delayed(
        in.varint(), in.flag(), in.count(), in.varint(), in.raw(row.length - in.at()));
  }
}
