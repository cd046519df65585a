package io.holdfast.engine.logic;

import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.message.Attempt;
import io.holdfast.engine.command.Chunk;
import io.holdfast.engine.command.MessageId;
import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Tables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of dead letters: written when a message dies, found by message, removed. */
final class DeadLetters {
  private DeadLetters() {}

  /**
   * Makes a message a dead letter of its group; false if the queue keeps none.
   *
   * @param known the chunk with the message; null if it has to be looked up in its lane
   */
  static boolean bury(
      Turn turn,
      Subscription subscription,
      int lane,
      long seq,
      Returned charges,
      List<Attempt> attempts,
      @Nullable Chunk known,
      @Nullable String error) {
    Partition partition = subscription.partition;
    Lane log = partition.lane(lane);
    Chunk chunk =
        known != null
            ? known
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
        Finder.alone(chunk.entry(offset), chunk.createdMs(offset), chunk.idSeq(seq, offset), seq),
        "it waited longer than the queue's maxWaitTimeSeconds");
    Tasks.died(turn, subscription, lane, seq, "waited too long");
  }

  /** The numbers of the dead letters of one message that a filter takes in. */
  static List<Long> matching(Turn turn, DeadLetterFilter filter) {
    List<Long> matching = new ArrayList<>();
    Queue queue = turn.state().queue(filter.queue());
    if (queue != null && filter.messageId() != null) {
      for (long number : numbers(turn, queue, MessageId.of(filter.messageId()))) {
        byte[] bytes = turn.tx().get(Tables.dead(queue.number, number));
        if (bytes != null && DeadRow.read(bytes).matches(filter, turn.state())) {
          matching.add(number);
        }
      }
    }
    return matching;
  }

  /**
   * Removes the dead letters of one message that a filter takes in, all of them; answers how many.
   */
  static long remove(Turn turn, DeadLetterFilter filter) {
    Queue queue = turn.state().queue(filter.queue());
    List<Long> numbers = matching(turn, filter);
    for (long number : numbers) {
      byte[] bytes = queue == null ? null : turn.tx().get(Tables.dead(queue.number, number));
      if (queue != null && bytes != null) {
        remove(turn, queue, DeadRow.read(bytes), number);
      }
    }
    return numbers.size();
  }

  /** The numbers of the dead letters of one message, ascending. */
  static List<Long> numbers(Turn turn, Queue queue, MessageId id) {
    List<Long> numbers = new ArrayList<>();
    Partition partition = turn.state().partition(id);
    if (partition == null || partition.queue != queue) {
      return numbers;
    }
    byte[] from = Tables.deadId(queue.number, partition.number, id.seq(), 0);
    byte[] to = Tables.deadId(queue.number, partition.number, id.seq() + 1, 0);
    try (Rows ids = turn.tx().scan(from, to)) {
      while (ids.next()) {
        numbers.add(Tables.long8(ids.value(), 5));
      }
    }
    Collections.sort(numbers);
    return numbers;
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
              .get(Tables.deadId(partition.queue.number, partition.number, id.seq(), group.number));
      byte[] bytes = key == null ? null : turn.tx().get(key);
      DeadRow row = bytes == null ? null : DeadRow.read(bytes);
      if (key != null && row != null && row.createdMs() == id.createdMs()) {
        remove(turn, partition.queue, row, Tables.long8(key, 5));
        any = true;
      }
    }
    return any;
  }
}
