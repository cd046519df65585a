package io.holdfast.engine.logic;

import io.holdfast.api.group.StartFrom;
import io.holdfast.api.message.Attempt;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
import io.holdfast.engine.command.Chunk;
import io.holdfast.engine.command.Fixed;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.store.View;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the rows of a store change when its last stamp, which is ahead of the wall clock, is set back
 * to it.
 *
 * <p>A time up to the wall clock stays. A time between the wall clock and the last stamp is of an
 * event that has happened, or of something that is due: it becomes the wall clock. A later time
 * keeps its distance from the last stamp: what was due in five minutes is due in five minutes. This
 * never changes the order of two times, so lanes, leases and dead letters stay in order, and never
 * shortens what is left of a lease, a delay or a retention.
 *
 * <p>Times that users gave as such (visibleAt, reschedule, the start of a group) stay: they mean
 * the wall clock. The creation times in ids stay too, so that ids do not change.
 */
public final class ClockShift {
  /** The row of meta that is there while a repair has begun and not ended. */
  public static final byte[] META_REPAIR = Tables.meta("clockRepair");

  /** A row with its moved times. */
  public record Row(byte[] key, byte[] value) {}

  /** Rows are read without their queue. */
  private static final Queue NO_QUEUE = new Queue(0, "", 0, QueueOptions.DEFAULTS);

  private final long wallMs;
  private final long lastMs;

  /**
   * @param lastMs the last stamp
   * @param wallMs the wall clock, before it
   */
  public ClockShift(long lastMs, long wallMs) {
    this.lastMs = lastMs;
    this.wallMs = wallMs;
  }

  long time(long ms) {
    if (ms <= wallMs) {
      return ms;
    }
    return ms <= lastMs ? wallMs : ms - (lastMs - wallMs);
  }

  /** The last stamp that the rows of meta contain; 0 if there is none. */
  public static long lastMs(View rows) {
    return AppliedRow.of(rows).lastMs();
  }

  /** The row of meta that contains the last stamp. */
  public Row last(View rows) {
    return new Row(AppliedRow.KEY, AppliedRow.of(rows).lastMs(wallMs).bytes());
  }

  /**
   * What becomes of a row of any table but meta.
   *
   * @param rows the rows as they are, those changed before included
   * @return the row, perhaps under another key that sorts before its old one; null if it stays
   */
  public @Nullable Row row(byte[] key, byte[] value, View rows) {
    if (key[0] == Tables.AGENDA) {
      return agenda(key, value, rows);
    }
    if (key[0] == Tables.ENDED || key[0] == Tables.REQUESTS) {
      return timed(key, value);
    }
    byte[] moved =
        switch (key[0]) {
          case Tables.QUEUES -> queue(value);
          case Tables.PARTITIONS -> partition(value);
          case Tables.MESSAGES -> chunk(key, value);
          case Tables.NAMES -> name(value);
          case Tables.DELAYED -> delayed(value);
          case Tables.GROUPS -> group(value);
          case Tables.CURSORS -> cursor(value);
          case Tables.RETURNED -> returned(value);
          case Tables.REQUEUED -> alone(value);
          case Tables.LEASES -> lease(value);
          case Tables.SESSIONS, Tables.SLOTS -> firstTime(value);
          case Tables.DEAD -> dead(value);
          case Tables.TASKS -> task(value);
          default -> value;
        };
    return Arrays.equals(moved, value) ? null : new Row(key, moved);
  }

  private byte[] queue(byte[] row) {
    Queue queue = Queue.read(0, row);
    queue.createdMs = time(queue.createdMs);
    queue.droppedMs = time(queue.droppedMs);
    return queue.row();
  }

  private byte[] partition(byte[] row) {
    Partition partition = Partition.read(NO_QUEUE, 0, row);
    partition.createdMs = time(partition.createdMs);
    partition.lastPushMs = time(partition.lastPushMs);
    for (Lane lane : partition.lanes) {
      lane.firstMs = time(lane.firstMs);
      lane.lastEnteredMs = time(lane.lastEnteredMs);
    }
    return partition.row();
  }

  private byte[] chunk(byte[] key, byte[] row) {
    Chunk chunk = new Chunk(Tables.lastSeq(key), row);
    return chunk.enteredMs() <= wallMs ? row : chunk.enteredAt(time(chunk.enteredMs())).bytes();
  }

  /** A chunk of one message that was moved, whose creation time is beside it. */
  private byte[] alone(byte[] chunk) {
    byte[] moved = chunk.clone();
    Fixed.put(moved, 0, time(new Chunk(0, chunk).enteredMs()), 6);
    return moved;
  }

  private byte[] name(byte[] row) {
    NameRow name = NameRow.read(row);
    return name.since(time(name.sinceMs())).bytes();
  }

  private byte[] delayed(byte[] row) {
    Delayed delayed = Delayed.read(row);
    return delayed.atTime()
        ? row
        : new Delayed(
                time(delayed.visibleAtMs()),
                false,
                delayed.lane(),
                delayed.createdMs(),
                delayed.entry())
            .row();
  }

  /** Something due, under the time that the row it is about has afterwards. */
  private @Nullable Row agenda(byte[] key, byte[] value, View rows) {
    long dueMs = Tables.agendaDueMs(key);
    byte[] what = Tables.agendaWhat(key);
    byte[] delayed = what[0] == Tables.DELAYED ? rows.get(what) : null;
    if (dueMs <= wallMs || (delayed != null && Delayed.read(delayed).atTime())) {
      return null;
    }
    byte[] moved = Tables.agenda(time(dueMs), what);
    // Each row of a name counts, so two of them must not become one.
    for (long ms = time(dueMs); what[0] == Tables.NAMES && rows.get(moved) != null; ) {
      moved = Tables.agenda(++ms, what);
    }
    return new Row(moved, value);
  }

  private byte[] group(byte[] row) {
    Group group = Group.read(NO_QUEUE, 0, row);
    group.createdMs = time(group.createdMs);
    return group.row();
  }

  private byte[] cursor(byte[] row) {
    Subscription subscription =
        new Subscription(
            new Group(NO_QUEUE, 0, "", StartFrom.ALL, 0), new Partition(NO_QUEUE, 0, "", 0));
    ByteReader in = new ByteReader(row);
    LaneCursor cursor = LaneCursor.read(0, in);
    LaneCursor.readShared(subscription, in);
    subscription.availableMs = time(subscription.availableMs);
    return cursor.row(subscription);
  }

  private byte[] returned(byte[] row) {
    Returned returned = Returned.read(row);
    if (!returned.atTime) {
      returned.visibleAtMs = time(returned.visibleAtMs);
    }
    returned.requeuedMs = time(returned.requeuedMs);
    return returned.row(attempts(Returned.attempts(row)));
  }

  private List<Attempt> attempts(List<Attempt> attempts) {
    return attempts.stream()
        .map(
            attempt ->
                new Attempt(
                    attempt.number(),
                    attempt.cause(),
                    attempt.worker(),
                    time(attempt.leasedMs()),
                    time(attempt.endedMs()),
                    attempt.error()))
        .toList();
  }

  private byte[] lease(byte[] row) {
    LeaseRow lease = LeaseRow.read(row);
    return lease.during(time(lease.leasedMs()), time(lease.untilMs())).bytes();
  }

  /** A row that is valid until a time, under the key of the new time. */
  private @Nullable Row timed(byte[] key, byte[] row) {
    byte[] moved = firstTime(row);
    TimedRows table = key[0] == Tables.ENDED ? TimedRows.endedLeases() : TimedRows.requests();
    return Arrays.equals(moved, row)
        ? null
        : new Row(table.moved(key, TimedRows.untilMs(moved)), moved);
  }

  /** A row that begins with a time. */
  private byte[] firstTime(byte[] row) {
    ByteReader in = new ByteReader(row);
    ByteWriter out = new ByteWriter(row.length + 1).varint(time(in.varint()));
    return out.raw(row, in.at(), row.length - in.at()).done();
  }

  private byte[] dead(byte[] row) {
    DeadRow dead = DeadRow.read(row);
    return new DeadRow(
            dead.group(),
            time(dead.diedMs()),
            dead.error(),
            dead.failures(),
            dead.expiries(),
            dead.partition(),
            dead.lane(),
            dead.seq(),
            attempts(dead.attempts()),
            alone(dead.chunk()))
        .bytes();
  }

  /** When it was published is a part of its id. */
  private byte[] task(byte[] row) {
    TaskRow task = TaskRow.read(row);
    task.receivedMs = time(task.receivedMs);
    task.startedMs = time(task.startedMs);
    task.endedMs = time(task.endedMs);
    return task.bytes();
  }
}
