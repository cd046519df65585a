package io.holdfast.engine.logic;

import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.ReplyCodec;
import io.holdfast.engine.command.Stamp;

/** A row of slots: when it was used, the sequence of its last request, and the answer. */
public record SlotRow(long usedMs, long usedIndex, long sequence, ByteReader reply) {
  static ByteWriter used(Stamp stamp) {
    return new ByteWriter(64).varint(stamp.nowMs()).varint(stamp.index());
  }

  static byte[] bytes(Stamp stamp, long sequence, Reply reply) {
    ByteWriter out = used(stamp).varint(sequence);
    ReplyCodec.write(out, reply);
    return out.done();
  }

  public static SlotRow read(byte[] row) {
    ByteReader in = new ByteReader(row);
    return new SlotRow(in.varint(), in.varint(), in.varint(), in);
  }
}
