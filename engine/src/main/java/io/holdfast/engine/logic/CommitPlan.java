package io.holdfast.engine.logic;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Refusal;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.MessageRef;
import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.Command.Part;
import io.holdfast.engine.command.MessageId;
import io.holdfast.engine.command.Packed;
import io.holdfast.engine.store.Tables;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a commit would do, so that each part is checked against those before it; and what was
 * learned by that, so that it need not be looked up again when the part is done.
 */
final class CommitPlan {
  /** A name in a partition. */
  private record Named(String queue, String partition, String name) {}

  private final Turn turn;
  private final SettleHandler.Plan settles;
  private final Set<Named> pushedNames = new HashSet<>();
  private final Set<Named> freedNames = new HashSet<>();
  private final PushHandler.Planned pushed = new PushHandler.Planned();
  private final Map<String, Long> lengths = new HashMap<>();
  private final Map<String, Long> versions = new HashMap<>();
  private final Set<Long> removedDead = new HashSet<>();

  /** Messages whose dead letters are gone. */
  private final Set<MessageId> cancelled = new HashSet<>();

  /** By part: whether a name that is pushed is known, or a record that is deleted is there. */
  private final boolean[] found;

  private int part;

  /** How many operations are fine. */
  private int operations;

  CommitPlan(Turn turn, int parts) {
    this.turn = turn;
    this.settles = new SettleHandler.Plan(turn);
    this.found = new boolean[parts];
  }

  /** Why a part would fail, or null; then it counts for the checks to come. */
  @Nullable Refusal check(Part next) {
    Refusal refusal =
        switch (next) {
          case Part.Push push -> checkPush(push);
          case Part.Other other -> check(other.operation());
        };
    if (refusal == null) {
      part++;
      operations += next.operations();
    }
    return refusal == null || refusal.operation() >= 0 ? refusal : refusal.at(operations);
  }

  /** Whether a part pushes a name that is known, or deletes a record that is there. */
  boolean found(int at) {
    return found[at];
  }

  private @Nullable Refusal check(Operation operation) {
    return switch (operation) {
      case Operation.SettleMessage settle -> checkSettle(settle);
      case Operation.CancelMessage cancel -> planCancel(cancel);
      case Operation.AppendJournal append -> checkAppend(append);
      case Operation.DeleteJournal delete -> {
        lengths.put(delete.journal(), 0L);
        yield null;
      }
      case Operation.PutRecord put -> checkPut(put);
      case Operation.DeleteRecord delete -> checkDelete(delete);
      case Operation.RemoveDead remove -> checkRemoval(remove);
      case Operation.PushMessage push -> throw new IllegalStateException("a push must come packed");
    };
  }

  private @Nullable Refusal checkPush(Part.Push push) {
    Packed messages = push.messages();
    Queue queue = turn.state().queue(messages.queue());
    // Only where they are counted it matters which one is too many.
    boolean counted = queue != null && queue.rules.maxSize > 0;
    int fresh = 0;
    int first = -1;
    for (int i = 0; i < messages.count(); i++) {
      String name = messages.names().isEmpty() ? null : messages.names().get(i);
      if (name != null && !isNew(queue, messages, name)) {
        found[part] = true;
        if (!push.ignoreDuplicate()) {
          return duplicate(messages).at(operations + i);
        }
        continue;
      }
      fresh++;
      first = first < 0 ? i : first;
      Refusal refusal = counted ? refusal(messages, 1) : null;
      if (refusal != null) {
        return refusal.at(operations + i);
      }
    }
    Refusal refusal = counted || fresh == 0 ? null : refusal(messages, fresh);
    return refusal == null ? null : refusal.at(operations + first);
  }

  private @Nullable Refusal refusal(Packed messages, int count) {
    return PushHandler.refusal(
        turn, messages, count, pushed, queue -> queue.unsettled(settles::ended));
  }

  private static Refusal duplicate(Packed message) {
    return Refusal.of(
        ErrorCode.DUPLICATE,
        "partition "
            + message.partition()
            + " of queue "
            + message.queue()
            + " has had a message of that transactionId");
  }

  /** Whether a name is not known; then it is from here on. */
  private boolean isNew(@Nullable Queue queue, Packed messages, String name) {
    Named place = new Named(messages.queue(), messages.partition(), name);
    Partition partition = queue == null ? null : queue.partitions.get(messages.partition());
    boolean known =
        partition != null
            && !freedNames.contains(place)
            && Names.known(turn, partition, name) != null;
    if (known || !pushedNames.add(place)) {
      return false;
    }
    freedNames.remove(place);
    return true;
  }

  private @Nullable Refusal checkSettle(Operation.SettleMessage operation) {
    SettleVerdict.Status status = settles.check(turn, operation.settle());
    if (status != null) {
      return Refusal.of(
          SettleVerdict.refused(status).code(),
          "the message cannot be settled by this lease any more: " + status);
    }
    return settles.dead.isTooMuch() ? Refusal.of(ErrorCode.TOO_LARGE, DeadBytes.TOO_MUCH) : null;
  }

  private @Nullable Refusal planCancel(Operation.CancelMessage operation) {
    MessageId id = Finder.id(turn.state(), turn.tx(), operation.message());
    Finder.Found found = id == null ? null : Finder.find(turn.state(), turn.tx(), id);
    if (id != null) {
      cancelled.add(id);
    }
    if (found != null) {
      Partition partition = found.partition();
      settles.cancel(partition, found.seq());
      String name = found.chunk().transactionId(found.offset());
      if (name != null) {
        freedNames.add(new Named(partition.queue.name, partition.name, name));
      }
    }
    if (operation.message() instanceof MessageRef.ByName byName) {
      pushedNames.remove(new Named(byName.queue(), byName.partition(), byName.transactionId()));
    }
    return null;
  }

  private @Nullable Refusal checkAppend(Operation.AppendJournal append) {
    Long planned = lengths.get(append.journal());
    long length = planned != null ? planned : length(turn, append.journal());
    if (length != append.expectedPosition()) {
      return Refusal.of(
          ErrorCode.WRONG_POSITION,
          "journal "
              + append.journal()
              + " holds "
              + length
              + " events, expected "
              + append.expectedPosition());
    }
    lengths.put(append.journal(), length + append.events().size());
    return null;
  }

  private @Nullable Refusal checkPut(Operation.PutRecord put) {
    Refusal refusal =
        put.expectedVersion() == Operation.ANY_VERSION
            ? null
            : checkVersion(put.key(), put.expectedVersion(), planned(put.key()));
    versions.put(put.key(), turn.stamp().index());
    return refusal;
  }

  private @Nullable Refusal checkDelete(Operation.DeleteRecord delete) {
    long version = planned(delete.key());
    found[part] = version > 0;
    versions.put(delete.key(), 0L);
    return delete.expectedVersion() == Operation.ANY_VERSION
        ? null
        : checkVersion(delete.key(), delete.expectedVersion(), version);
  }

  private static @Nullable Refusal checkVersion(String key, long expected, long version) {
    return version == expected
        ? null
        : Refusal.of(
            ErrorCode.WRONG_VERSION,
            "record " + key + " is at version " + version + ", expected " + expected);
  }

  /** The version of a record after what comes before. */
  private long planned(String key) {
    Long planned = versions.get(key);
    return planned != null ? planned : version(turn, key);
  }

  static DeadLetterFilter filter(Operation.RemoveDead remove) {
    DeadLetterFilter filter = DeadLetterFilter.queue(remove.queue()).message(remove.messageId());
    return remove.group() == null ? filter : filter.group(remove.group());
  }

  /**
   * The numbers of dead letters are used once, so those that are planned to go are known by them.
   */
  private @Nullable Refusal checkRemoval(Operation.RemoveDead remove) {
    boolean any = false;
    boolean gone = cancelled.contains(MessageId.of(remove.messageId()));
    for (long number : gone ? List.<Long>of() : DeadLetters.matching(turn, filter(remove))) {
      any |= removedDead.add(number);
    }
    return any
        ? null
        : Refusal.of(
            ErrorCode.NOT_FOUND,
            "message " + remove.messageId() + " is no dead letter of queue " + remove.queue());
  }

  static long length(Turn turn, String journal) {
    byte[] row = turn.tx().get(Tables.journalLength(journal));
    return row == null ? 0 : new ByteReader(row).varint();
  }

  private static long version(Turn turn, String key) {
    byte[] row = turn.tx().get(Tables.record(key));
    return row == null ? 0 : new ByteReader(row).varint();
  }
}
