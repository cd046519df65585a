package io.holdfast.engine.command;

import io.holdfast.api.commit.Committed;
import io.holdfast.api.wire.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The replies that are remembered for a request id, as bytes. */
public final class ReplyCodec {
  private static final int PUSHED = 1;
  private static final int COMMITTED = 2;
  private static final Form<Committed> FORM = Form.of(Committed.class);

  private ReplyCodec() {}

  public static void write(ByteWriter out, Reply reply) {
    switch (reply) {
      case Reply.PushedMessages pushed -> writePushed(out.byte1(PUSHED), pushed);
      case Reply.CommittedOperations done ->
          out.byte1(COMMITTED).bytes(FORM.write(done.committed()));
      default -> throw new IllegalArgumentException("not a reply to remember: " + reply);
    }
  }

  public static Reply read(ByteReader in) {
    return switch (in.byte1()) {
      case PUSHED -> readPushed(in);
      case COMMITTED -> new Reply.CommittedOperations(FORM.readExactly(in.bytes()));
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
      int[] items = new int[in.elements()];
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
}
