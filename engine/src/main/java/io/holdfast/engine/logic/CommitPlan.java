package io.holdfast.engine.logic;

import io.holdfast.api.DeadLetterFilter;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.MessageRef;
import io.holdfast.api.Operation;
import io.holdfast.api.Refusal;
import io.holdfast.api.SettleVerdict;
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

/** What a commit would do, so that each operation is checked against those before it. */
final class CommitPlan {
  private final Turn turn;
  private final SettleHandler.Plan settles = new SettleHandler.Plan();
  private final Set<String> pushedNames = new HashSet<>();
  private final Set<String> freedNames = new HashSet<>();
  private final PushHandler.Planned pushed = new PushHandler.Planned();
  private final Map<String, Long> lengths = new HashMap<>();
  private final Map<String, Long> versions = new HashMap<>();
  private final Set<Long> removedDead = new HashSet<>();

  CommitPlan(Turn turn) {
    this.turn = turn;
  }

  /** Why an operation would fail, or null; then it counts for the checks to come. */
  @Nullable Refusal check(Part part) {
    return switch (part) {
      case Part.Push push -> checkPush(push);
      case Part.Other other ->
          switch (other.operation()) {
            case Operation.SettleMessage settle -> checkSettle(settle);
            case Operation.CancelMessage cancel -> planCancel(cancel);
            case Operation.AppendJournal append -> checkAppend(append);
            case Operation.DeleteJournal delete -> {
              lengths.put(delete.journal(), 0L);
              yield null;
            }
            case Operation.PutRecord put ->
                checkVersion(put.key(), put.expectedVersion(), turn.stamp().index());
            case Operation.DeleteRecord delete ->
                checkVersion(delete.key(), delete.expectedVersion(), 0);
            case Operation.RemoveDead remove -> checkRemoval(remove);
            case Operation.PushMessage push ->
                throw new IllegalStateException("a push must come packed");
          };
    };
  }

  private @Nullable Refusal checkPush(Part.Push push) {
    Packed message = push.message();
    String name = message.names().isEmpty() ? null : message.names().getFirst();
    if (name != null) {
      String place = message.queue() + '\n' + message.partition() + '\n' + name;
      boolean duplicate = pushedNames.contains(place) || isKnown(message, name, place);
      if (duplicate) {
        return push.ignoreDuplicate()
            ? null
            : Refusal.of(
                ErrorCode.DUPLICATE,
                "partition "
                    + message.partition()
                    + " of queue "
                    + message.queue()
                    + " has had a message of that transactionId");
      }
      pushedNames.add(place);
      freedNames.remove(place);
    }
    return PushHandler.refusal(
        turn, List.of(message), pushed, queue -> queue.unsettled(settles::ended));
  }

  private boolean isKnown(Packed message, String name, String place) {
    Queue queue = turn.state().queue(message.queue());
    Partition partition = queue == null ? null : queue.partitions.get(message.partition());
    return partition != null
        && !freedNames.contains(place)
        && Names.known(turn, partition, name) != null;
  }

  private @Nullable Refusal checkSettle(Operation.SettleMessage operation) {
    SettleVerdict.Status status = settles.check(turn, operation.settle());
    return status == null
        ? null
        : Refusal.of(
            SettleVerdict.refused(status).code(),
            "the message cannot be settled by this lease any more: " + status);
  }

  private @Nullable Refusal planCancel(Operation.CancelMessage operation) {
    MessageId id = Finder.id(turn.state(), turn.tx(), operation.message());
    Finder.Found found = id == null ? null : Finder.find(turn.state(), turn.tx(), id);
    if (found != null) {
      Partition partition = found.partition();
      settles.cancel(partition, found.seq());
      String name = found.chunk().transactionId(found.offset());
      if (name != null) {
        freedNames.add(partition.queue.name + '\n' + partition.name + '\n' + name);
      }
    }
    if (operation.message() instanceof MessageRef.ByName byName) {
      pushedNames.remove(
          byName.queue() + '\n' + byName.partition() + '\n' + byName.transactionId());
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

  private @Nullable Refusal checkVersion(String key, long expected, long next) {
    Long planned = versions.get(key);
    long version = planned != null ? planned : version(turn, key);
    if (expected != Operation.ANY_VERSION && version != expected) {
      return Refusal.of(
          ErrorCode.WRONG_VERSION,
          "record " + key + " is at version " + version + ", expected " + expected);
    }
    versions.put(key, next);
    return null;
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
    for (long number : DeadLetterHandler.matching(turn, filter(remove))) {
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

  static long version(Turn turn, String key) {
    byte[] row = turn.tx().get(Tables.record(key));
    return row == null ? 0 : new ByteReader(row).varint();
  }
}
