package io.holdfast.engine.logic;

import io.holdfast.api.Refusal;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.Committed.Step;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.PushedMessage;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Does several things, all or none: all are checked, and only then the first is done. */
final class CommitHandler {
  private CommitHandler() {}

  static Reply apply(Turn turn, CommitOperations command) {
    Reply answered =
        Requests.answered(turn, Requests.Kind.COMMIT, command.requestId(), command.number());
    if (answered != null) {
      return answered;
    }
    List<Part> parts = command.parts();
    Reply unsealed = PushHandler.unsealed(turn.state(), pushes(parts));
    if (unsealed != null) {
      return unsealed;
    }
    CommitPlan plan = new CommitPlan(turn, parts.size());
    for (Part part : parts) {
      Refusal refusal = plan.check(part);
      if (refusal != null) {
        return new Reply.Refused(refusal);
      }
    }
    List<Step> steps = new ArrayList<>(parts.size());
    for (int i = 0; i < parts.size(); ) {
      int end = settlesEnd(parts, i);
      if (end > i) {
        settle(turn, parts.subList(i, end), steps);
        i = end;
      } else {
        apply(turn, parts.get(i), plan.found(i), steps);
        i++;
      }
    }
    Reply reply = new Reply.CommittedOperations(new Committed(steps));
    Requests.remember(turn, Requests.Kind.COMMIT, command.requestId(), command.number(), reply);
    return reply;
  }

  static List<Packed> pushes(List<Part> parts) {
    List<Packed> pushes = new ArrayList<>();
    for (Part part : parts) {
      if (part instanceof Part.Push push) {
        pushes.add(push.messages());
      }
    }
    return pushes;
  }

  /** Where the settles end that begin at a part. */
  private static int settlesEnd(List<Part> parts, int from) {
    int end = from;
    while (end < parts.size() && settle(parts.get(end)) != null) {
      end++;
    }
    return end;
  }

  private static @Nullable Settle settle(Part part) {
    return part instanceof Part.Other other
            && other.operation() instanceof Operation.SettleMessage settle
        ? settle.settle()
        : null;
  }

  private static void settle(Turn turn, List<Part> parts, List<Step> steps) {
    List<Settle> settles = new ArrayList<>(parts.size());
    for (Part part : parts) {
      settles.add(((Operation.SettleMessage) ((Part.Other) part).operation()).settle());
    }
    for (SettleVerdict verdict : SettleHandler.settleEach(turn, settles)) {
      steps.add(new Step.MessageSettled(verdict));
    }
  }

  private static void apply(Turn turn, Part part, boolean found, List<Step> steps) {
    switch (part) {
      case Part.Push push -> push(turn, push.messages(), found, steps);
      case Part.Other other -> steps.add(step(turn, other.operation(), found));
    }
  }

  private static void push(Turn turn, Packed packed, boolean hasKnown, List<Step> steps) {
    if (hasKnown) {
      pushNew(turn, packed, steps);
      return;
    }
    Run run = PushHandler.store(turn, packed);
    for (int i = 0; i < packed.count(); i++) {
      steps.add(pushed(run, i));
    }
  }

  private static Step pushed(Run run, int at) {
    return new Step.MessagePushed(
        new PushedMessage(
            MessageId.uuid(run.createdMs(), run.partition(), run.firstSeq() + at),
            false,
            run.partition()));
  }

  /** Pushes those whose names are not known. */
  private static void pushNew(Turn turn, Packed packed, List<Step> steps) {
    List<Duplicate> duplicates = new ArrayList<>();
    Names names = new Names(turn);
    Packed fresh = names.withoutDuplicates(packed, duplicates);
    List<Run> runs = fresh.count() == 0 ? List.of() : List.of(PushHandler.store(turn, fresh));
    Names.resolve(runs, duplicates);
    turn.totals().duplicates += duplicates.size();
    Map<Integer, Step> byItem = new HashMap<>();
    for (Run run : runs) {
      for (int i = 0; i < run.items().length; i++) {
        byItem.put(run.items()[i], pushed(run, i));
      }
    }
    for (Duplicate known : duplicates) {
      byItem.put(
          known.item(),
          new Step.MessagePushed(new PushedMessage(known.id(), true, known.partition())));
    }
    for (int item : packed.items()) {
      Step step = byItem.get(item);
      if (step == null) {
        throw new IllegalStateException("a message was neither pushed nor known");
      }
      steps.add(step);
    }
  }

  private static Step step(Turn turn, Operation operation, boolean found) {
    return switch (operation) {
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
        if (found) {
          turn.tx().delete(Tables.record(delete.key()));
          turn.effects().add(new Effect.WakeReaders(delete.key()));
        }
        yield new Step.RecordDeleted(found);
      }
      case Operation.RemoveDead remove ->
          new Step.DeadRemoved(DeadLetters.remove(turn, CommitPlan.filter(remove)));
      case Operation.SettleMessage settle ->
          throw new IllegalStateException("settles are done together");
      case Operation.PushMessage push -> throw new IllegalStateException("a push must come packed");
    };
  }

  private static Step append(Turn turn, Operation.AppendJournal append) {
    long end =
        JournalRow.append(turn.tx(), append.journal(), append.expectedPosition(), append.events());
    turn.tx().put(Tables.journalLength(append.journal()), new ByteWriter(10).varint(end).done());
    return new Step.JournalAppended(end);
  }

  private static Step delete(Turn turn, String journal) {
    long length = CommitPlan.length(turn, journal);
    if (length > 0) {
      JournalRow.delete(turn.tx(), journal, length);
      turn.tx().delete(Tables.journalLength(journal));
    }
    return new Step.JournalDeleted(length > 0);
  }
}
