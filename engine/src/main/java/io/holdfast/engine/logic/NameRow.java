package io.holdfast.engine.logic;

import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
import io.holdfast.engine.command.MessageId;

/**
 * A row of names: the message that has a transactionId in its partition.
 *
 * @param createdMs the creation time in the message's id
 * @param idSeq the seq in the message's id
 * @param sinceMs when the dedup window began: the creation time, unless a repair of the clock has
 *     moved it ({@link ClockShift})
 */
record NameRow(long createdMs, long idSeq, long sinceMs) {
  private static final int BYTES = 12;
  private static final int BYTES_WITH_SINCE = 18;

  static NameRow of(long createdMs, long idSeq) {
    return new NameRow(createdMs, idSeq, createdMs);
  }

  byte[] bytes() {
    ByteWriter out = new ByteWriter(BYTES_WITH_SINCE).fixed(createdMs, 6).fixed(idSeq, 6);
    return sinceMs == createdMs ? out.done() : out.fixed(sinceMs, 6).done();
  }

  /**
   * Reads a row.
   *
   * @throws IllegalArgumentException if it has another length
   */
  static NameRow read(byte[] row) {
    if (row.length != BYTES && row.length != BYTES_WITH_SINCE) {
      throw new IllegalArgumentException("a row of names has " + row.length + " bytes");
    }
    ByteReader in = new ByteReader(row);
    long createdMs = in.fixed(6);
    long idSeq = in.fixed(6);
    return new NameRow(createdMs, idSeq, in.atEnd() ? createdMs : in.fixed(6));
  }

  MessageId id(Partition partition) {
    return MessageId.of(createdMs, partition.number, idSeq);
  }
}
