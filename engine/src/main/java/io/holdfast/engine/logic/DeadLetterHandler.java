package io.holdfast.engine.logic;

import io.holdfast.api.Attempt;
import io.holdfast.api.DeadLetterFilter;
import io.holdfast.api.ErrorCode;
import io.holdfast.engine.command.Chunk;
import io.holdfast.engine.command.Fixed;
import io.holdfast.engine.command.MessageId;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Tables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Buries messages that used up their attempts, and digs them out again. */
final class DeadLetterHandler {
  private DeadLetterHandler() {}

  /** Makes a message a dead letter of its group; false if the queue keeps none. */
  static boolean bury(
      Turn turn,
      Subscription subscription,
      int lane,
      long seq,
      Returned charges,
      List<Attempt> attempts,
      byte @Nullable [] carried,
      @Nullable String error) {
    Partition partition = subscription.partition;
    Lane log = partition.lane(lane);
    Chunk chunk =
        carried != null
            ? new Chunk(seq, carried)
            : log == null ? null : LaneLog.holding(turn.tx(), partition, log, seq);
    if (!partition.queue.rules.keepsDead || chunk == null) {
      turn.totals().dropped++;
      return false;
    }
    int offset = chunk.offsetOf(seq);
    long createdMs = chunk.createdMs(offset);
    long idSeq = chunk.idSeq(seq, offset);
    Chunk alone = Finder.alone(chunk.entry(offset), createdMs, idSeq, seq);
    DeadRow row =
        new DeadRow(
            subscription.group.name,
            turn.nowMs(),
            error,
            charges.failures,
            charges.expiries,
            partition.number,
            lane,
            seq,
            attempts,
            alone.bytes());
    int queue = partition.queue.number;
    byte[] id = Tables.deadId(queue, partition.number, idSeq, subscription.group.number);
    byte[] before = turn.tx().get(id);
    byte[] old = before == null ? null : turn.tx().get(before);
    if (before != null && old != null) {
      // It was replayed after its death, and died again.
      remove(turn, partition.queue, DeadRow.read(old), Tables.long8(before, 5));
    }
    long number = turn.state().newDeadNumber();
    turn.tx().put(Tables.dead(queue, number), row.bytes());
    turn.tx().put(id, Tables.dead(queue, number));
    subscription.group.dead++;
    partition.kept++;
    turn.state().touch(subscription.group);
    turn.state().touch(partition);
    turn.totals().dead++;
    partition.queue.died++;
    return true;
  }

  /** Buries a message that was never delivered, because it waited too long. */
  static void buryUnread(
      Turn turn, Subscription subscription, int lane, long seq, Chunk chunk, int offset) {
    long nowMs = turn.nowMs();
    Attempt waited =
        new Attempt(1, Attempt.Cause.WAITED_TOO_LONG, null, chunk.enteredMs(), nowMs, null);
    bury(
        turn,
        subscription,
        lane,
        seq,
        new Returned(),
        List.of(waited),
        Finder.alone(chunk.entry(offset), chunk.createdMs(offset), chunk.idSeq(seq, offset), seq)
            .bytes(),
        "it waited longer than the queue's maxWaitTimeSeconds");
    Tasks.died(turn, subscription, lane, seq, "waited too long");
  }

  static Reply requeue(Turn turn, DeadLetterFilter filter, long after) {
    return each(turn, filter, after, DeadLetterHandler::requeue);
  }

  static Reply remove(Turn turn, DeadLetterFilter filter, long after) {
    return each(
        turn,
        filter,
        after,
        (t, queue, number, row) -> {
          remove(t, queue, row, number);
          return true;
        });
  }

  private interface Act {
    boolean on(Turn turn, Queue queue, long number, DeadRow row);
  }

  private static Reply each(Turn turn, DeadLetterFilter filter, long after, Act act) {
    Queue queue = turn.state().queue(filter.queue());
    if (queue == null) {
      return Turn.refused(ErrorCode.NOT_FOUND, "there is no queue " + filter.queue());
    }
    if (filter.messageId() != null) {
      return new Reply.ChangedPart(
          ofMessage(turn, queue, filter, MessageId.of(filter.messageId()), act), -1);
    }
    List<Long> numbers = new ArrayList<>();
    List<DeadRow> found = new ArrayList<>();
    long next = -1;
    int looked = 0;
    byte[] end = Tables.after(Tables.ofQueue(Tables.DEAD, queue.number));
    try (Rows rows = turn.tx().scan(Tables.dead(queue.number, after + 1), end)) {
      while (rows.next()) {
        long number = Tables.long8(rows.key(), 5);
        DeadRow row = DeadRow.read(rows.value());
        if (row.matches(filter, turn.state())) {
          numbers.add(number);
          found.add(row);
        }
        if (++looked == LogicLimits.DEAD_MAX) {
          next = number;
          break;
        }
      }
    }
    long changed = 0;
    for (int i = 0; i < found.size(); i++) {
      changed += act.on(turn, queue, numbers.get(i), found.get(i)) ? 1 : 0;
    }
    return new Reply.ChangedPart(changed, next);
  }

  /** The dead letters of one message need no walk: one for each group that gave it up. */
  private static long ofMessage(
      Turn turn, Queue queue, DeadLetterFilter filter, MessageId id, Act act) {
    long changed = 0;
    for (byte[] key : keys(turn, queue, id)) {
      byte[] bytes = turn.tx().get(key);
      DeadRow row = bytes == null ? null : DeadRow.read(bytes);
      if (row != null && row.matches(filter, turn.state())) {
        changed += act.on(turn, queue, Tables.long8(key, 5), row) ? 1 : 0;
      }
    }
    return changed;
  }

  /** The numbers of the dead letters of one message that a filter takes in. */
  static List<Long> matching(Turn turn, DeadLetterFilter filter) {
    List<Long> numbers = new ArrayList<>();
    Queue queue = turn.state().queue(filter.queue());
    if (queue != null && filter.messageId() != null) {
      ofMessage(
          turn,
          queue,
          filter,
          MessageId.of(filter.messageId()),
          (t, in, number, row) -> numbers.add(number));
    }
    return numbers;
  }

  /** Removes the dead letters of one message that a filter takes in; answers how many. */
  static long remove(Turn turn, DeadLetterFilter filter) {
    return remove(turn, filter, 0) instanceof Reply.ChangedPart part ? part.count() : 0;
  }

  private static List<byte[]> keys(Turn turn, Queue queue, MessageId id) {
    List<byte[]> keys = new ArrayList<>();
    Partition partition = turn.state().partition(id);
    if (partition == null || partition.queue != queue) {
      return keys;
    }
    byte[] from = Tables.deadId(queue.number, partition.number, id.seq(), 0);
    byte[] to = Tables.deadId(queue.number, partition.number, id.seq() + 1, 0);
    try (Rows ids = turn.tx().scan(from, to)) {
      while (ids.next()) {
        keys.add(ids.value());
      }
    }
    return keys;
  }

  /** Removes a dead letter; its group may be gone, and another may have got its name. */
  static void remove(Turn turn, Queue queue, DeadRow row, long number) {
    byte[] key = Tables.dead(queue.number, number);
    turn.tx().delete(key);
    byte[] id = id(turn, queue, row, key);
    if (id != null) {
      turn.tx().delete(id);
      Group group = queue.group(Tables.int4(id, id.length - 4));
      if (group != null) {
        group.dead--;
        turn.state().touch(group);
      }
    }
    Partition partition = turn.state().partition(row.partition());
    if (partition != null) {
      partition.kept--;
      turn.state().touch(partition);
    }
  }

  /** The key in deadIds that leads to a dead letter. */
  private static byte @Nullable [] id(Turn turn, Queue queue, DeadRow row, byte[] key) {
    byte[] from = Tables.deadId(queue.number, row.partition(), row.idSeq(), 0);
    byte[] to = Tables.deadId(queue.number, row.partition(), row.idSeq() + 1, 0);
    try (Rows ids = turn.tx().scan(from, to)) {
      while (ids.next()) {
        if (Arrays.equals(ids.value(), key)) {
          return ids.key();
        }
      }
    }
    return null;
  }

  /** Removes every dead letter of a message; answers whether there was one. */
  static boolean removeAll(Turn turn, MessageId id) {
    Partition partition = turn.state().partition(id);
    if (partition == null) {
      return false;
    }
    boolean any = false;
    for (Group group : partition.queue.groups) {
      byte[] key =
          turn.tx()
              .get(
                  Tables.deadId(partition.queue.number, partition.number, id.seq(), group.number));
      byte[] bytes = key == null ? null : turn.tx().get(key);
      DeadRow row = bytes == null ? null : DeadRow.read(bytes);
      if (key != null && row != null && row.createdMs() == id.createdMs()) {
        remove(turn, partition.queue, row, Tables.long8(key, 5));
        any = true;
      }
    }
    return any;
  }

  /** Gives a dead letter back to its group; if that is gone, the letter stays. */
  private static boolean requeue(Turn turn, Queue queue, long number, DeadRow row) {
    Group group = queue.group(row.group());
    Partition partition = turn.state().partition(row.partition());
    Subscription subscription =
        group == null || partition == null ? null : partition.subscription(group);
    if (partition == null || subscription == null || group == null) {
      return false;
    }
    remove(turn, queue, row, number);
    Lane lane = partition.laneOrNew(row.lane());
    LaneCursor cursor = subscription.cursor(lane);
    Map<Long, Returned> all = cursor.returnedOrNew();
    // Where there is a hole the message went elsewhere: it comes by itself, or was cancelled.
    if (lane.isHole(row.seq())
        || all.containsKey(row.seq())
        || Held.find(subscription, row.lane(), row.seq()).lease() != null) {
      return true;
    }
    Returned returned = new Returned();
    returned.deliveries = row.deliveries();
    returned.visibleAtMs = turn.nowMs();
    boolean stored = LaneLog.holding(turn.tx(), partition, lane, row.seq()) != null;
    // Its age begins anew: otherwise a queue with a ttl would drop what it was told to deliver.
    returned.carries = true;
    byte[] carried = row.chunk().clone();
    Fixed.put(carried, 0, turn.nowMs(), 6);
    if (stored && row.seq() >= cursor.nextSeq) {
      group.waiting--;
    }
    all.put(row.seq(), returned);
    subscription.returned++;
    group.returned++;
    turn.state().touch(partition);
    turn.state().touch(subscription);
    turn.tx()
        .put(
            Tables.returned(queue.number, group.number, partition.number, lane.number, row.seq()),
            returned.row(row.attempts(), carried));
    if (!stored && row.idSeq() != row.seq()) {
      Finder.moved(turn, partition, row.idSeq(), lane.number, row.seq());
    }
    Tasks.requeued(turn, subscription, row);
    Settlement.place(turn, subscription);
    return true;
  }

  /** Removes the oldest dead letters of a queue that are kept no longer, a bounded number. */
  static void trim(Turn turn, Queue queue) {
    long keptMs = queue.rules.deadRetentionMs;
    if (keptMs == 0 || queue.groups.stream().allMatch(group -> group.dead == 0)) {
      return;
    }
    List<Long> numbers = new ArrayList<>();
    List<DeadRow> old = new ArrayList<>();
    byte[] start = Tables.ofQueue(Tables.DEAD, queue.number);
    try (Rows rows = turn.tx().scan(start, Tables.after(start))) {
      while (rows.next() && old.size() < LogicLimits.DEAD_MAX) {
        DeadRow row = DeadRow.read(rows.value());
        if (row.diedMs() + keptMs > turn.nowMs()) {
          break;
        }
        numbers.add(Tables.long8(rows.key(), 5));
        old.add(row);
      }
    }
    for (int i = 0; i < old.size(); i++) {
      remove(turn, queue, old.get(i), numbers.get(i));
    }
  }
}
