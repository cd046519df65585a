package io.holdfast.engine.logic;

import io.holdfast.api.Committed;
import io.holdfast.api.Committed.Step;
import io.holdfast.api.Operation;
import io.holdfast.api.PushedMessage;
import io.holdfast.api.Refusal;
import io.holdfast.engine.command.ByteWriter;
import io.holdfast.engine.command.Command.CommitOperations;
import io.holdfast.engine.command.Command.Part;
import io.holdfast.engine.command.Effect;
import io.holdfast.engine.command.MessageId;
import io.holdfast.engine.command.Packed;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.Reply.PushedMessages.Duplicate;
import io.holdfast.engine.command.Reply.PushedMessages.Run;
import io.holdfast.engine.store.Tables;
import java.util.ArrayList;
import java.util.List;

/** Does several things, all or none: all are checked, and only then the first is done. */
final class CommitHandler {
  /** Journals of up to this many events are deleted event by event, longer ones as a range. */
  private static final int DELETE_POINTS_MAX = 64;

  private CommitHandler() {}

  static Reply apply(Turn turn, CommitOperations command) {
    Reply answered = Requests.answered(turn, Requests.COMMIT, command.requestId());
    if (answered != null) {
      return answered;
    }
    CommitPlan plan = new CommitPlan(turn);
    for (int i = 0; i < command.parts().size(); i++) {
      Refusal refusal = plan.check(command.parts().get(i));
      if (refusal != null) {
        return new Reply.Refused(refusal.at(i));
      }
    }
    List<Step> steps = new ArrayList<>(command.parts().size());
    for (Part part : command.parts()) {
      steps.add(
          switch (part) {
            case Part.Push push -> push(turn, push.message());
            case Part.Other other -> step(turn, other.operation());
          });
    }
    Reply reply = new Reply.CommittedOperations(new Committed(steps));
    Requests.remember(turn, Requests.COMMIT, command.requestId(), reply);
    return reply;
  }

  private static Step push(Turn turn, Packed packed) {
    List<Duplicate> duplicates = new ArrayList<>();
    Packed fresh = new Names(turn).withoutDuplicates(packed, duplicates);
    if (fresh.count() == 0) {
      Duplicate known = duplicates.getFirst();
      turn.totals().duplicates++;
      return new Step.MessagePushed(new PushedMessage(known.id(), true, known.partition()));
    }
    Run run = PushHandler.store(turn, fresh);
    return new Step.MessagePushed(
        new PushedMessage(
            MessageId.uuid(run.createdMs(), run.partition(), run.firstSeq()),
            false,
            run.partition()));
  }

  private static Step step(Turn turn, Operation operation) {
    return switch (operation) {
      case Operation.SettleMessage settle ->
          new Step.MessageSettled(SettleHandler.settleOne(turn, settle.settle()));
      case Operation.CancelMessage cancel -> {
        MessageId id = Finder.id(turn.state(), turn.tx(), cancel.message());
        yield new Step.MessageCancelled(id != null && CancelHandler.cancelInCommit(turn, id));
      }
      case Operation.AppendJournal append -> append(turn, append);
      case Operation.DeleteJournal delete -> delete(turn, delete.journal());
      case Operation.PutRecord put -> {
        long version = turn.stamp().index();
        ByteWriter out = new ByteWriter(put.value().length + 10).varint(version);
        out.raw(put.value(), 0, put.value().length);
        turn.tx().put(Tables.record(put.key()), out.done());
        turn.effects().add(new Effect.WakeReaders(put.key()));
        yield new Step.RecordPut(version);
      }
      case Operation.DeleteRecord delete -> {
        boolean found = CommitPlan.version(turn, delete.key()) > 0;
        turn.tx().delete(Tables.record(delete.key()));
        turn.effects().add(new Effect.WakeReaders(delete.key()));
        yield new Step.RecordDeleted(found);
      }
      case Operation.RemoveDead remove ->
          new Step.DeadRemoved(DeadLetterHandler.remove(turn, CommitPlan.filter(remove)));
      case Operation.PushMessage push -> throw new IllegalStateException("a push must come packed");
    };
  }

  private static Step append(Turn turn, Operation.AppendJournal append) {
    long position = append.expectedPosition();
    for (byte[] event : append.events()) {
      turn.tx().put(Tables.journal(append.journal(), position++), event);
    }
    turn.tx()
        .put(Tables.journalLength(append.journal()), new ByteWriter(10).varint(position).done());
    return new Step.JournalAppended(position);
  }

  private static Step delete(Turn turn, String journal) {
    long length = CommitPlan.length(turn, journal);
    if (length <= DELETE_POINTS_MAX) {
      for (long i = 0; i < length; i++) {
        turn.tx().delete(Tables.journal(journal, i));
      }
    } else {
      turn.tx().deleteRange(Tables.journal(journal, 0), Tables.journal(journal, length));
    }
    if (length > 0) {
      turn.tx().delete(Tables.journalLength(journal));
    }
    return new Step.JournalDeleted(length > 0);
  }
}
