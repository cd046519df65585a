package io.holdfast.engine.command;

import io.holdfast.api.Committed;
import io.holdfast.api.PushedMessage;
import io.holdfast.api.SettleVerdict;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The replies that are remembered for a request id, as bytes. */
public final class ReplyCodec {
  private static final int PUSHED = 1;
  private static final int COMMITTED = 2;

  private ReplyCodec() {}

  public static void write(ByteWriter out, Reply reply) {
    switch (reply) {
      case Reply.PushedMessages pushed -> writePushed(out.byte1(PUSHED), pushed);
      case Reply.CommittedOperations done -> writeCommitted(out.byte1(COMMITTED), done.committed());
      default -> throw new IllegalArgumentException("not a reply to remember: " + reply);
    }
  }

  public static Reply read(ByteReader in) {
    return switch (in.byte1()) {
      case PUSHED -> readPushed(in);
      case COMMITTED -> new Reply.CommittedOperations(readCommitted(in));
      default -> throw new IllegalStateException("not a reply that was remembered");
    };
  }

  private static void writePushed(ByteWriter out, Reply.PushedMessages pushed) {
    out.varint(pushed.count()).varint(pushed.runs().size());
    for (Reply.PushedMessages.Run run : pushed.runs()) {
      out.varint(run.createdMs()).varint(run.partition()).varint(run.firstSeq());
      out.varint(run.items().length);
      for (int item : run.items()) {
        out.varint(item);
      }
    }
    out.varint(pushed.duplicates().size());
    for (Reply.PushedMessages.Duplicate duplicate : pushed.duplicates()) {
      out.varint(duplicate.item());
      writeId(out, duplicate.id());
      out.varint(duplicate.partition());
    }
  }

  private static Reply readPushed(ByteReader in) {
    int count = in.count();
    List<Reply.PushedMessages.Run> runs = new ArrayList<>();
    for (int left = in.count(); left > 0; left--) {
      long createdMs = in.varint();
      long partition = in.varint();
      long firstSeq = in.varint();
      int[] items = new int[in.count()];
      for (int i = 0; i < items.length; i++) {
        items[i] = in.count();
      }
      runs.add(new Reply.PushedMessages.Run(createdMs, partition, firstSeq, items));
    }
    List<Reply.PushedMessages.Duplicate> duplicates = new ArrayList<>();
    for (int left = in.count(); left > 0; left--) {
      duplicates.add(new Reply.PushedMessages.Duplicate(in.count(), readId(in), in.varint()));
    }
    return new Reply.PushedMessages(runs, duplicates, count);
  }

  private static void writeId(ByteWriter out, UUID id) {
    out.long8(id.getMostSignificantBits()).long8(id.getLeastSignificantBits());
  }

  private static UUID readId(ByteReader in) {
    return new UUID(in.long8(), in.long8());
  }

  private static void writeCommitted(ByteWriter out, Committed committed) {
    out.varint(committed.steps().size());
    for (Committed.Step step : committed.steps()) {
      switch (step) {
        case Committed.Step.MessageSettled(SettleVerdict verdict) ->
            out.byte1('s')
                .text(verdict.status().name())
                .varint(verdict.count())
                .varint(verdict.failures())
                .varint(verdict.visibleAtMs())
                .flag(verdict.leaseOver());
        case Committed.Step.MessagePushed(PushedMessage message) -> {
          writeId(out.byte1('p'), message.id());
          out.flag(message.duplicate()).varint(message.partition());
        }
        case Committed.Step.MessageCancelled(boolean found) -> out.byte1('c').flag(found);
        case Committed.Step.JournalAppended(long position) -> out.byte1('a').varint(position);
        case Committed.Step.JournalDeleted(boolean found) -> out.byte1('d').flag(found);
        case Committed.Step.RecordPut(long version) -> out.byte1('r').varint(version);
        case Committed.Step.RecordDeleted(boolean found) -> out.byte1('x').flag(found);
        case Committed.Step.DeadRemoved(long count) -> out.byte1('k').varint(count);
      }
    }
  }

  private static Committed readCommitted(ByteReader in) {
    List<Committed.Step> steps = new ArrayList<>();
    for (int left = in.count(); left > 0; left--) {
      steps.add(
          switch (in.byte1()) {
            case 's' ->
                new Committed.Step.MessageSettled(
                    new SettleVerdict(
                        SettleVerdict.Status.valueOf(in.text()),
                        in.count(),
                        in.count(),
                        in.varint(),
                        in.flag()));
            case 'p' ->
                new Committed.Step.MessagePushed(
                    new PushedMessage(readId(in), in.flag(), in.varint()));
            case 'c' -> new Committed.Step.MessageCancelled(in.flag());
            case 'a' -> new Committed.Step.JournalAppended(in.varint());
            case 'd' -> new Committed.Step.JournalDeleted(in.flag());
            case 'r' -> new Committed.Step.RecordPut(in.varint());
            case 'x' -> new Committed.Step.RecordDeleted(in.flag());
            case 'k' -> new Committed.Step.DeadRemoved(in.varint());
            default -> throw new IllegalStateException("not a step that was remembered");
          });
    }
    return new Committed(steps);
  }
}
