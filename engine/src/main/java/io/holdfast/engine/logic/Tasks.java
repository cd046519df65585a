package io.holdfast.engine.logic;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.message.Position;
import io.holdfast.api.task.StartRequest;
import io.holdfast.api.task.TaskStatus;
import io.holdfast.engine.command.Chunk;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.Packed;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.Reply.Taken;
import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Tables;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Keeps the life of each message of a queue that tracks: every step that a message makes. */
final class Tasks {
  private Tasks() {}

  static void published(Turn turn, Partition partition, Packed packed, long firstSeq) {
    for (int i = 0; i < packed.count(); i++) {
      TaskRow row = new TaskRow();
      row.publishedMs = turn.nowMs();
      row.transactionId = packed.names().isEmpty() ? null : packed.names().get(i);
      for (Subscription subscription : partition.subscriptions) {
        LaneCursor cursor = subscription.cursor(packed.lane());
        // A group that begins later has passed it by already.
        if (cursor == null || cursor.nextSeq <= firstSeq) {
          row.parts.add(new TaskRow.Part(subscription.group.number));
        }
      }
      turn.tx().put(key(partition, firstSeq + i), row.bytes());
      partition.kept++;
    }
  }

  static void received(Turn turn, Group group, List<Taken> taken, @Nullable String worker) {
    for (Taken message : taken) {
      Partition partition = turn.state().partition(message.partitionId());
      if (partition != null) {
        long idSeq = message.chunk().idSeq(message.seq(), message.offset());
        change(
            turn,
            partition,
            idSeq,
            group,
            row -> {
              row.receivedMs = turn.nowMs();
              row.worker = worker;
            },
            part -> {
              part.status = TaskStatus.RECEIVED;
              part.worker = worker;
              part.attempts++;
            });
      }
    }
  }

  static Reply start(Turn turn, StartRequest request) {
    Lease lease = SettleHandler.live(turn, LeaseId.number(request.handle().leaseId()));
    Position at = request.handle().position();
    Slice slice = lease == null ? null : lease.slice(at.partition());
    int item = slice == null ? -1 : slice.items.find(at.seq());
    if (lease == null || slice == null || item < 0 || slice.items.status(item) != Items.OPEN) {
      return Turn.refused(
          ErrorCode.STALE_LEASE, "the lease is over, or does not hold this message");
    }
    Partition partition = slice.subscription.partition;
    if (!partition.queue.rules.track) {
      return Turn.refused(
          ErrorCode.WRONG_STATE,
          "queue " + partition.queue.name + " does not keep tasks; configure it with track");
    }
    Long idSeq = idSeq(turn, slice.subscription, slice.items.lane(item), at.seq());
    TaskRow row = idSeq == null ? null : row(turn, partition, idSeq);
    if (idSeq == null || row == null) {
      return Turn.refused(ErrorCode.NOT_FOUND, "no task was kept for this message");
    }
    TaskRow.Part part = row.part(lease.group.number);
    if (part != null && part.status == TaskStatus.RECEIVED) {
      part.status = TaskStatus.RUNNING;
      row.startedMs = turn.nowMs();
      String worker = request.worker() != null ? request.worker() : part.worker;
      part.worker = worker;
      row.worker = worker;
      turn.tx().put(key(partition, idSeq), row.bytes());
    }
    return new Reply.StartedTask(row.describe(partition, idSeq));
  }

  static void completed(Turn turn, Subscription subscription, int lane, long seq) {
    ended(turn, subscription, lane, seq, TaskStatus.COMPLETE, null);
  }

  static void failed(
      Turn turn, Subscription subscription, int lane, long seq, @Nullable String error) {
    step(turn, subscription, lane, seq, row -> row.error = error, TaskStatus.FAILED);
  }

  static void releasedTask(Turn turn, Subscription subscription, int lane, long seq) {
    step(turn, subscription, lane, seq, row -> {}, TaskStatus.QUEUED);
  }

  static void died(
      Turn turn, Subscription subscription, int lane, long seq, @Nullable String error) {
    ended(turn, subscription, lane, seq, TaskStatus.DEAD, error);
  }

  static void requeued(Turn turn, Subscription subscription, DeadRow dead) {
    if (subscription.partition.queue.rules.track) {
      change(
          turn,
          subscription.partition,
          dead.idSeq(),
          subscription.group,
          row -> row.endedMs = 0,
          part -> part.status = TaskStatus.QUEUED);
    }
  }

  /** The message was taken back: there is no task any more. */
  static void cancelled(Turn turn, Partition partition, long idSeq) {
    byte[] key = key(partition, idSeq);
    if (partition.kept > 0 && turn.tx().get(key) != null) {
      remove(turn, partition, key);
    }
  }

  /** The message is kept no longer: a task that is not over never will be. */
  static void lost(Turn turn, Partition partition, long idSeq) {
    TaskRow row = row(turn, partition, idSeq);
    if (row != null && !row.isOver()) {
      remove(turn, partition, key(partition, idSeq));
    }
  }

  private static void remove(Turn turn, Partition partition, byte[] key) {
    turn.tx().delete(key);
    partition.kept--;
    turn.state().touch(partition);
  }

  /** The task is over for long enough. */
  static void forget(Turn turn, Partition partition, byte[] key, byte[] bytes, long dueMs) {
    TaskRow row = TaskRow.read(bytes, partition.queue);
    if (!row.isOver()) {
      return;
    }
    long untilMs = row.endedMs + partition.queue.rules.completedMs;
    if (untilMs <= dueMs) {
      remove(turn, partition, key);
    } else {
      Agenda.add(turn, untilMs, key);
    }
  }

  /** A group of the queue was deleted: begins to tell its tasks. */
  static void groupDeleted(Turn turn, Queue queue) {
    tellDeleted(turn, queue, Tables.ofQueue(Tables.TASKS, queue.number));
  }

  /**
   * Tells tasks from a key on which groups were deleted; the agenda keeps the place for the rest.
   */
  static void tellDeleted(Turn turn, Queue queue, byte[] from) {
    CommandBudget.Loop loop = turn.budget().loop();
    byte[] end = Tables.after(Tables.ofQueue(Tables.TASKS, queue.number));
    try (Rows rows = turn.tx().scan(from, end)) {
      while (rows.next()) {
        if (!loop.mayContinue()) {
          Agenda.add(turn, turn.nowMs(), Tables.deletedFrom(rows.key()));
          return;
        }
        byte[] row = rows.value();
        turn.budget().spend(1, row.length);
        tellDeleted(turn, queue, rows.key(), row);
      }
    }
  }

  private static void tellDeleted(Turn turn, Queue queue, byte[] key, byte[] bytes) {
    TaskRow row = TaskRow.read(bytes);
    boolean wasOver = row.isOver();
    if (row.dropDeleted(queue)) {
      if (row.isOver() && !wasOver) {
        row.endedMs = turn.nowMs();
        Agenda.add(turn, turn.nowMs() + queue.rules.completedMs, key);
      }
      turn.tx().put(key, row.bytes());
    }
  }

  private static void ended(
      Turn turn,
      Subscription subscription,
      int lane,
      long seq,
      TaskStatus status,
      @Nullable String error) {
    step(
        turn,
        subscription,
        lane,
        seq,
        row -> {
          row.endedMs = turn.nowMs();
          row.error = error;
        },
        status);
  }

  private static void step(
      Turn turn,
      Subscription subscription,
      int lane,
      long seq,
      Consumer<TaskRow> whole,
      TaskStatus status) {
    if (!subscription.partition.queue.rules.track) {
      return;
    }
    Long idSeq = idSeq(turn, subscription, lane, seq);
    if (idSeq != null) {
      change(
          turn,
          subscription.partition,
          idSeq,
          subscription.group,
          whole,
          part -> part.status = status);
    }
  }

  private static void change(
      Turn turn,
      Partition partition,
      long idSeq,
      Group group,
      Consumer<TaskRow> whole,
      Consumer<TaskRow.Part> one) {
    TaskRow row = row(turn, partition, idSeq);
    TaskRow.Part part = row == null ? null : row.part(group.number);
    if (row == null || part == null) {
      return;
    }
    whole.accept(row);
    one.accept(part);
    byte[] key = key(partition, idSeq);
    turn.tx().put(key, row.bytes());
    if (row.isOver()) {
      Agenda.add(turn, turn.nowMs() + partition.queue.rules.completedMs, key);
    }
  }

  private static byte[] key(Partition partition, long idSeq) {
    return Tables.task(partition.queue.number, partition.number, idSeq);
  }

  private static @Nullable TaskRow row(Turn turn, Partition partition, long idSeq) {
    byte[] bytes = turn.tx().get(key(partition, idSeq));
    return bytes == null ? null : TaskRow.read(bytes, partition.queue);
  }

  /** The seq that the id of a message is made of; null if the message is gone. */
  private static @Nullable Long idSeq(Turn turn, Subscription subscription, int lane, long seq) {
    Lane log = subscription.partition.lane(lane);
    Chunk chunk = log == null ? null : LaneLog.at(turn, subscription.partition, log, seq, 0);
    return chunk == null || !chunk.covers(seq)
        ? Long.valueOf(seq)
        : Long.valueOf(chunk.idSeq(seq, chunk.offsetOf(seq)));
  }
}
