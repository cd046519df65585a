package io.holdfast.engine.logic;

import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.ReplyCodec;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.store.Tx;
import io.holdfast.engine.store.View;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A rolling hash of what commands were answered, by which the nodes of a cluster notice that their
 * rows differ: rows that differ lead to other answers.
 *
 * <p>Invariant: nodes that have applied the same entries have the same value. Rows themselves do
 * not count, because which of them a batch writes depends on where it begins; nor do hints, such as
 * when to ask again.
 */
public final class AnswersHash {
  public static final byte[] KEY = Tables.meta("hash");

  /** An odd number, so that no answer is forgotten; otherwise any. */
  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  private boolean counts;
  private long value;

  /** Begins to count; a broker of its own does without. */
  void begin() {
    counts = true;
  }

  public long value() {
    return value;
  }

  void add(Reply reply) {
    if (!counts) {
      return;
    }
    switch (reply) {
      case Reply.Refused refused -> add(refused.refusal().code().name().hashCode());
      case Reply.PushedMessages pushed -> addBytes(pushed);
      case Reply.CommittedOperations committed -> addBytes(committed);
      case Reply.PoppedMessages popped -> {
        add(popped.lease());
        popped.messages().forEach(this::add);
        add(popped.settled());
      }
      case Reply.SettledMessages settled -> add(settled.verdicts());
      case Reply.ExtendedLease extended -> add(extended.extended().leaseUntilMs());
      case Reply.SessionOpened opened -> add(opened.session());
      case Reply.ChangedMessages changed -> add(changed.affected().count());
      case Reply.ChangedPart part -> add(part.count());
      case Reply.PurgedPart part -> add(part.count());
      default -> add(reply.getClass().getSimpleName().hashCode());
    }
  }

  private void add(long next) {
    value = value * FACTOR + next;
  }

  private void add(Reply.Taken taken) {
    add(taken.partitionId());
    add(taken.lane());
    add(taken.seq());
    add(taken.attempt());
  }

  private void add(List<SettleVerdict> verdicts) {
    verdicts.forEach(verdict -> add(verdict.status().name().hashCode()));
  }

  private void addBytes(Reply reply) {
    ByteWriter out = new ByteWriter(64);
    ReplyCodec.write(out, reply);
    CRC32C checksum = new CRC32C();
    checksum.update(out.done());
    add(checksum.getValue());
  }

  void read(View rows) {
    byte[] row = rows.get(KEY);
    value = row == null ? 0 : new ByteReader(row).long8();
  }

  void flush(Tx tx) {
    if (counts) {
      tx.put(KEY, new ByteWriter(8).long8(value).done());
    }
  }
}
