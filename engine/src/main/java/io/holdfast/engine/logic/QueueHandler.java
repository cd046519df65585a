package io.holdfast.engine.logic;

import io.holdfast.api.Affected;
import io.holdfast.api.ConfigureRequest;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.QueueOptions;
import io.holdfast.engine.command.Effect;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Tables;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes, changes, pauses, empties and deletes queues. */
final class QueueHandler {
  private static final byte[] TABLES_OF_A_QUEUE = {
    Tables.QUEUES, Tables.PARTITIONS, Tables.MESSAGES, Tables.HOLES, Tables.NAMES, Tables.MOVED,
    Tables.DELAYED, Tables.GROUPS, Tables.CURSORS, Tables.RETURNED, Tables.DEAD, Tables.DEAD_IDS,
    Tables.TASKS
  };

  private QueueHandler() {}

  static Reply configure(Turn turn, ConfigureRequest request) {
    ShardState state = turn.state();
    Queue queue = state.queue(request.queue());
    if (queue == null) {
      if (state.queues.size() >= state.limits.queuesMax()) {
        return Turn.refused(
            ErrorCode.LIMIT, "the broker may have " + state.limits.queuesMax() + " queues");
      }
      queue = state.newQueue(request.queue(), turn.nowMs(), QueueOptions.of(request.changes()));
    } else {
      QueueOptions options =
          request.replace()
              ? QueueOptions.of(request.changes())
              : queue.rules.options.with(request.changes());
      queue.rules = new Rules(options);
      state.touch(queue);
      replace(turn, queue);
    }
    return new Reply.ConfiguredQueue(Describe.queue(queue));
  }

  static Reply pause(Turn turn, String name, boolean paused) {
    Queue queue = turn.state().queue(name);
    if (queue == null) {
      return unknown(name);
    }
    if (queue.paused != paused) {
      queue.paused = paused;
      turn.state().touch(queue);
      replace(turn, queue);
    }
    return new Reply.ConfiguredQueue(Describe.queue(queue));
  }

  /** Under other rules other subscriptions may have work. */
  private static void replace(Turn turn, Queue queue) {
    for (Group group : queue.groups) {
      for (Partition partition : queue.partitions.values()) {
        Subscription subscription = partition.subscription(group);
        if (subscription != null) {
          group.place(subscription);
        }
      }
    }
    turn.effects().add(new Effect.WakeQueue(queue.name));
  }

  static Reply purge(Turn turn, String name, @Nullable String only) {
    Queue queue = turn.state().queue(name);
    if (queue == null) {
      return unknown(name);
    }
    Collection<Partition> partitions = GroupHandler.partitions(queue, only);
    if (partitions.isEmpty() && only != null) {
      return Turn.refused(ErrorCode.NOT_FOUND, "queue " + name + " has no partition " + only);
    }
    long purged = 0;
    for (Partition partition : partitions) {
      purged += purge(turn, partition);
    }
    for (Partition partition : partitions) {
      if (partition.delayed > 0) {
        byte[] start = Tables.ofPartition(Tables.DELAYED, queue.number, partition.number);
        if (queue.rules.track) {
          dropTasks(turn, partition, start);
        }
        turn.tx().deleteRange(start, Tables.after(start));
        purged += partition.delayed;
        queue.delayed -= partition.delayed;
        partition.delayed = 0;
      }
    }
    return new Reply.ChangedMessages(new Affected(purged));
  }

  private static void dropTasks(Turn turn, Partition partition, byte[] start) {
    List<Long> idSeqs = new ArrayList<>();
    try (Rows rows = turn.tx().scan(start, Tables.after(start))) {
      while (rows.next()) {
        idSeqs.add(Tables.lastSeq(rows.key()));
      }
    }
    idSeqs.forEach(idSeq -> Tasks.lost(turn, partition, idSeq));
  }

  private static long purge(Turn turn, Partition partition) {
    long purged = 0;
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
    for (Lease lease : new ArrayList<>(state.leases.values())) {
      if (lease.group.queue == queue) {
        for (Slice slice : lease.slices) {
          for (int i = 0; i < slice.items.size(); i++) {
            if (slice.items.status(i) == Items.OPEN) {
              new Settlement(turn, lease, slice, i).dropHold();
            }
          }
        }
        Settlement.finish(turn, lease);
      }
    }
    state.remove(queue);
    for (byte table : TABLES_OF_A_QUEUE) {
      byte[] start = Tables.ofQueue(table, queue.number);
      turn.tx().deleteRange(start, Tables.after(start));
    }
    byte[] messages = Tables.ofQueue(Tables.MESSAGES, queue.number);
    turn.effects().add(new Effect.ReclaimSpace(messages, Tables.after(messages)));
    turn.effects().add(new Effect.WakeQueue(name));
    return new Reply.ChangedMessages(new Affected(held));
  }

  private static Reply unknown(String name) {
    return Turn.refused(ErrorCode.NOT_FOUND, "there is no queue " + name);
  }
}
