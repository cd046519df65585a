package io.holdfast.engine.logic;

import io.holdfast.engine.command.MessageId;
import io.holdfast.engine.command.Reply;
import java.util.Arrays;

/** Replies as texts that can be compared, because some of them hold arrays. */
public final class Replies {
  private Replies() {}

  /** Leaves out whether a pop expects more, which is a hint and may be too hopeful. */
  public static String text(Reply reply) {
    return switch (reply) {
      case Reply.PoppedMessages popped -> {
        StringBuilder out = new StringBuilder("popped ");
        for (Reply.Taken taken : popped.messages()) {
          out.append(text(taken)).append(' ');
        }
        yield out.append(popped.lease())
            .append(" until ")
            .append(popped.leaseUntilMs())
            .append(' ')
            .append(popped.reason())
            .append(" at ")
            .append(popped.retryAtMs())
            .append(' ')
            .append(popped.settled())
            .toString();
      }
      case Reply.PushedMessages pushed -> {
        StringBuilder out = new StringBuilder("pushed ");
        for (Reply.PushedMessages.Run run : pushed.runs()) {
          out.append(MessageId.uuid(run.createdMs(), run.partition(), run.firstSeq()));
          out.append(Arrays.toString(run.items())).append(' ');
        }
        yield out.append(pushed.duplicates()).append(pushed.count()).toString();
      }
      default -> reply.toString();
    };
  }

  private static String text(Reply.Taken taken) {
    return taken.queue()
        + "/"
        + taken.partition()
        + "/"
        + taken.lane()
        + "/"
        + taken.seq()
        + "="
        + taken.chunk().idSeq(taken.seq(), taken.offset())
        + "#"
        + taken.attempt()
        + "!"
        + taken.failures()
        + Arrays.toString(taken.chunk().payload(taken.offset()));
  }
}
