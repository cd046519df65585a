package io.holdfast.engine.logic;

import io.holdfast.engine.command.ChunkWriter;
import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Tables;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is due at a time: messages that become visible, names that are no longer remembered, tasks
 * that are no longer kept, tasks that have to learn of a deleted group. Each row holds the key of
 * the row it is about.
 */
final class Agenda {
  private Agenda() {}

  static void add(Turn turn, long dueMs, byte[] what) {
    byte[] key = Tables.agenda(dueMs, what);
    turn.tx().put(key, new byte[0]);
    turn.state().agendaHas(key);
  }

  /** Does what is due until the budget is spent; answers whether there is more. */
  static boolean run(Turn turn) {
    ShardState state = turn.state();
    if (state.agendaMs() > turn.nowMs()) {
      return false;
    }
    CommandBudget.Loop loop = turn.budget().loop();
    for (byte[] key : due(turn)) {
      if (!loop.mayContinue()) {
        state.agendaHas(key);
        break;
      }
      turn.tx().delete(key);
      meet(turn, Tables.agendaWhat(key), Tables.agendaDueMs(key));
    }
    return state.agendaMs() <= turn.nowMs();
  }

  /** The first rows that are due; the agenda then begins with the row behind them. */
  private static List<byte[]> due(Turn turn) {
    ShardState state = turn.state();
    List<byte[]> due = new ArrayList<>();
    // Not from the start of the table: that would walk over all that was done before.
    try (Rows rows = turn.tx().scan(state.agendaFrom(), Tables.end(Tables.AGENDA))) {
      while (rows.next()) {
        byte[] key = rows.key();
        if (Tables.agendaDueMs(key) > turn.nowMs()
            || due.size() == state.limits().commandRowsMax()) {
          state.agendaFrom(key);
          return due;
        }
        due.add(key);
      }
    }
    state.agendaFrom(null);
    return due;
  }

  private static void meet(Turn turn, byte[] what, long dueMs) {
    if (what[0] == Tables.GROUPS) {
      Queue queue = turn.state().queue(Tables.int4(what, 1));
      if (queue != null) {
        Tasks.tellDeleted(turn, queue, Tables.deletedTask(what));
      }
      return;
    }
    Partition partition = turn.state().partition(Tables.partitionOf(what));
    if (partition == null) {
      return;
    }
    SubscriptionRefresh.refresh(turn, partition);
    byte[] row = turn.tx().get(what);
    turn.budget().spend(1, row == null ? 0 : row.length);
    if (what[0] == Tables.NAMES) {
      forgetName(turn, partition, what, row);
    } else if (row != null) {
      meet(turn, partition, what, row, dueMs);
    }
  }

  private static void meet(Turn turn, Partition partition, byte[] what, byte[] row, long dueMs) {
    switch (what[0]) {
      case Tables.DELAYED -> enter(turn, partition, what, Delayed.read(row), dueMs);
      case Tables.TASKS -> Tasks.forget(turn, partition, what, row, dueMs);
      default -> throw new IllegalStateException("the agenda names table " + what[0]);
    }
  }

  private static void enter(
      Turn turn, Partition partition, byte[] key, Delayed message, long dueMs) {
    if (message.visibleAtMs() != dueMs) {
      return;
    }
    takeOut(turn, partition, key);
    int lane = partition.openLane(message.lane());
    long idSeq = Tables.lastSeq(key);
    byte[] chunk =
        new ChunkWriter(message.entry().length + 12)
            .copyMoved(message.entry(), message.createdMs(), idSeq)
            .done();
    long seq = PushHandler.enter(turn, partition, lane, chunk, 1);
    Finder.moved(turn, partition, idSeq, lane, seq);
    partition.laneOrNew(lane).indexed++;
  }

  /** Removes a message that was kept aside. */
  static void takeOut(Turn turn, Partition partition, byte[] key) {
    turn.tx().delete(key);
    partition.delayed--;
    partition.queue.delayed--;
    turn.state().touch(partition);
  }

  private static void forgetName(
      Turn turn, Partition partition, byte[] key, byte @Nullable [] row) {
    partition.kept--;
    turn.state().touch(partition);
    if (row == null) {
      return;
    }
    NameRow name = NameRow.read(row);
    if (Finder.find(turn.state(), turn.tx(), name.id(partition)) != null) {
      // A later message has got the name, and will be trimmed in its time.
      return;
    }
    long untilMs = name.sinceMs() + partition.queue.rules.dedupMs;
    if (untilMs <= turn.nowMs()) {
      turn.tx().delete(key);
    } else {
      Names.keep(turn, partition, key, untilMs);
    }
  }
}
