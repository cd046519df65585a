package io.holdfast.engine.logic;

import io.holdfast.api.dead.DeadLetter;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.message.Attempt;
import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
import io.holdfast.engine.command.Chunk;
import io.holdfast.engine.command.MessageId;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter as it is stored.
 *
 * @param chunk the message, as a chunk of one
 */
public record DeadRow(
    String group,
    long diedMs,
    @Nullable String error,
    int failures,
    int expiries,
    long partition,
    int lane,
    long seq,
    List<Attempt> attempts,
    byte[] chunk) {
  byte[] bytes() {
    ByteWriter out = new ByteWriter(chunk.length + 64);
    out.text(group)
        .varint(diedMs)
        .maybe(error)
        .varint(failures)
        .varint(expiries)
        .varint(partition)
        .varint(lane)
        .varint(seq);
    Returned.writeAttempts(out, attempts);
    return out.bytes(chunk).done();
  }

  public static DeadRow read(byte[] row) {
    ByteReader in = new ByteReader(row);
    return new DeadRow(
        in.text(),
        in.varint(),
        in.maybe(),
        in.count(),
        in.count(),
        in.varint(),
        in.count(),
        in.varint(),
        Returned.readAttempts(in),
        in.bytes());
  }

  /** What tells whether a filter takes it in, without the rest. */
  public record Head(String group, long diedMs, @Nullable String error, long partition) {
    public static Head read(byte[] row) {
      ByteReader in = new ByteReader(row);
      String group = in.text();
      long diedMs = in.varint();
      String error = in.maybe();
      in.count();
      in.count();
      return new Head(group, diedMs, error, in.varint());
    }

    /** Whether a filter takes it in, apart from its message. */
    public boolean matches(DeadLetterFilter filter, @Nullable Partition in) {
      if ((filter.group() != null && !filter.group().equals(group))
          || diedMs < filter.fromMs()
          || diedMs >= filter.toMs()) {
        return false;
      }
      if (filter.errorContains() != null
          && (error == null || !error.contains(filter.errorContains()))) {
        return false;
      }
      return filter.partition() == null || (in != null && in.name.equals(filter.partition()));
    }
  }

  private Chunk message() {
    return new Chunk(seq, chunk);
  }

  public long idSeq() {
    return message().idSeq(seq, Chunk.HEADER_BYTES);
  }

  public long createdMs() {
    return message().createdMs(Chunk.HEADER_BYTES);
  }

  /** Deliveries before its death. */
  int deliveries() {
    return attempts.isEmpty() ? 0 : attempts.getLast().number();
  }

  /** Whether a filter of its queue takes it in. */
  boolean matches(DeadLetterFilter filter, ShardState state) {
    return new Head(group, diedMs, error, partition).matches(filter, state.partition(partition))
        && (filter.messageId() == null || filter.messageId().equals(id()));
  }

  public UUID id() {
    return MessageId.uuid(createdMs(), partition, idSeq());
  }

  public DeadLetter describe(Partition in) {
    return new DeadLetter(
        Finder.message(in, lane, seq, message(), Chunk.HEADER_BYTES, null),
        group,
        diedMs,
        error,
        failures,
        expiries,
        attempts);
  }
}
