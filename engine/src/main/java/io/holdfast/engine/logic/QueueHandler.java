package io.holdfast.engine.logic;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Refusal;
import io.holdfast.api.queue.Affected;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.engine.command.Chunk;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Effect;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Tables;

/** Makes, changes, pauses, empties and deletes queues. */
final class QueueHandler {
  private static final byte[] TABLES_OF_A_QUEUE = {
    Tables.QUEUES, Tables.PARTITIONS, Tables.MESSAGES, Tables.HOLES, Tables.NAMES, Tables.MOVED,
    Tables.DELAYED, Tables.GROUPS, Tables.CURSORS, Tables.RETURNED, Tables.DEAD, Tables.DEAD_IDS,
    Tables.TASKS, Tables.REQUEUED
  };

  private QueueHandler() {}

  static Reply configure(Turn turn, ConfigureRequest request) {
    ShardState state = turn.state();
    Queue queue = state.queue(request.queue());
    if (queue == null) {
      Refusal tooMany = NumberLimits.queues(state, 1);
      if (tooMany != null) {
        return new Reply.Refused(tooMany);
      }
      queue = state.newQueue(request.queue(), turn.nowMs(), QueueOptions.of(request.changes()));
      sealed(turn, queue, false);
    } else {
      QueueOptions options =
          request.replace()
              ? QueueOptions.of(request.changes())
              : queue.rules.options.with(request.changes());
      Rules before = queue.rules;
      queue.rules = new Rules(options);
      state.touch(queue);
      if (!before.options.equals(options)) {
        // Under other rules other subscriptions may have work.
        SubscriptionRefresh.begin(turn, queue);
        turn.effects().add(new Effect.WakeQueue(queue.name));
      }
      sealed(turn, queue, before.encrypts);
    }
    return new Reply.ConfiguredQueue(queue.describe());
  }

  private static void sealed(Turn turn, Queue queue, boolean before) {
    if (queue.rules.encrypts != before) {
      turn.state().encryptionChanged(queue);
      turn.effects().add(new Effect.SealQueue(queue.name, queue.rules.encrypts));
    }
  }

  static Reply pause(Turn turn, String name, boolean paused) {
    Queue queue = turn.state().queue(name);
    if (queue == null) {
      return unknown(name);
    }
    if (queue.paused != paused) {
      queue.paused = paused;
      turn.state().touch(queue);
      turn.effects().add(new Effect.WakeQueue(queue.name));
    }
    return new Reply.ConfiguredQueue(queue.describe());
  }

  static Reply purge(Turn turn, Command.PurgeQueue command) {
    Queue queue = turn.state().queue(command.queue());
    if (queue == null) {
      return unknown(command.queue());
    }
    Stretch stretch = Stretch.of(queue, command.partition(), command.from());
    if (stretch.partitions().isEmpty() && command.partition() != null) {
      return Turn.refused(
          ErrorCode.NOT_FOUND, "queue " + queue.name + " has no partition " + command.partition());
    }
    long purged = 0;
    CommandBudget.Loop partitions = turn.budget().loop();
    CommandBudget.Loop messages = turn.budget().loop();
    for (Partition partition : stretch.partitions()) {
      if (!partitions.mayContinue()) {
        return new Reply.PurgedPart(purged, partition.name);
      }
      purged += purge(turn, partition) + purgeDelayed(turn, partition, messages);
      if (partition.delayed > 0) {
        return new Reply.PurgedPart(purged, partition.name);
      }
    }
    return new Reply.PurgedPart(purged, stretch.next());
  }

  /** Purges delayed messages with their names and tasks until the budget is spent. */
  private static int purgeDelayed(Turn turn, Partition partition, CommandBudget.Loop loop) {
    if (partition.delayed == 0) {
      return 0;
    }
    int purged = 0;
    byte[] start = Tables.ofPartition(Tables.DELAYED, partition.queue.number, partition.number);
    try (Rows rows = turn.tx().scan(start, Tables.after(start))) {
      while (partition.delayed > 0 && loop.mayContinue() && rows.next()) {
        byte[] row = rows.value();
        turn.budget().spend(1, row.length);
        purgeDelayed(turn, partition, rows.key(), Delayed.read(row));
        purged++;
      }
    }
    return purged;
  }

  private static void purgeDelayed(Turn turn, Partition partition, byte[] key, Delayed delayed) {
    Agenda.takeOut(turn, partition, key);
    long idSeq = Tables.lastSeq(key);
    Chunk chunk = Finder.alone(delayed.entry(), delayed.createdMs(), idSeq, idSeq);
    byte[] name = chunk.name(Chunk.HEADER_BYTES);
    if (name != null) {
      Names.forget(turn, partition, name, delayed.createdMs(), idSeq, idSeq);
    }
    if (partition.queue.rules.track) {
      Tasks.lost(turn, partition, idSeq);
    }
  }

  private static long purge(Turn turn, Partition partition) {
    long purged = 0;
    SubscriptionRefresh.refresh(turn, partition);
    turn.budget().spend(1 + partition.subscriptions.size() * partition.lanes.size(), 0);
    for (Subscription subscription : partition.subscriptions) {
      GroupHandler.letGo(turn, subscription);
      for (Lane lane : partition.lanes) {
        Cursors.toEnd(turn, subscription, lane);
      }
      Settlement.place(turn, subscription);
    }
    for (Lane lane : partition.lanes) {
      purged += lane.entered - Math.max(lane.trimmed, lane.purged);
      lane.purgedSeq = lane.endSeq;
      lane.purged = lane.entered;
      lane.purgedBytes = lane.enteredBytes;
    }
    turn.state().touch(partition);
    turn.state().recount(partition);
    return purged;
  }

  static Reply delete(Turn turn, String name) {
    ShardState state = turn.state();
    Queue queue = state.queue(name);
    if (queue == null) {
      return unknown(name);
    }
    long held = queue.stored + queue.delayed;
    queue.groups.forEach(state::orphanLeasesOf);
    state.remove(queue);
    Expiry.endOrphans(turn);
    for (byte table : TABLES_OF_A_QUEUE) {
      byte[] start = Tables.ofQueue(table, queue.number);
      turn.tx().deleteRange(start, Tables.after(start));
    }
    byte[] messages = Tables.ofQueue(Tables.MESSAGES, queue.number);
    turn.effects().add(new Effect.ReclaimSpace(messages, Tables.after(messages)));
    turn.effects().add(new Effect.WakeQueue(name));
    if (queue.rules.encrypts) {
      turn.effects().add(new Effect.SealQueue(name, false));
    }
    return new Reply.ChangedMessages(new Affected(held));
  }

  private static Reply unknown(String name) {
    return Turn.refused(ErrorCode.NOT_FOUND, "there is no queue " + name);
  }
}
