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
 * @param lastSeq where the message was in its lane when that was trimmed: the seq in its id, unless
 *     it had moved
 */
public record NameRow(long createdMs, long idSeq, long sinceMs, long lastSeq) {
  private static final int BYTES = 12;
  private static final int BYTES_OF_ALL = 24;

  static NameRow of(long createdMs, long idSeq) {
    return new NameRow(createdMs, idSeq, createdMs, idSeq);
  }

  NameRow since(long ms) {
    return new NameRow(createdMs, idSeq, ms, lastSeq);
  }

  NameRow lastSeq(long seq) {
    return new NameRow(createdMs, idSeq, sinceMs, seq);
  }

  byte[] bytes() {
    ByteWriter out = new ByteWriter(BYTES_OF_ALL).fixed(createdMs, 6).fixed(idSeq, 6);
    boolean asUsual = sinceMs == createdMs && lastSeq == idSeq;
    return asUsual ? out.done() : out.fixed(sinceMs, 6).fixed(lastSeq, 6).done();
  }

  /**
   * Reads a row.
   *
   * @throws IllegalArgumentException if it has another length
   */
  public static NameRow read(byte[] row) {
    if (row.length != BYTES && row.length != BYTES_OF_ALL) {
      throw new IllegalArgumentException("a row of names has " + row.length + " bytes");
    }
    ByteReader in = new ByteReader(row);
    long createdMs = in.fixed(6);
    long idSeq = in.fixed(6);
    return in.atEnd()
        ? of(createdMs, idSeq)
        : new NameRow(createdMs, idSeq, in.fixed(6), in.fixed(6));
  }

  MessageId id(Partition partition) {
    return MessageId.of(createdMs, partition.number, idSeq);
  }
}
