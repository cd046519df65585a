package io.holdfast.engine.logic;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.engine.command.Fixed;
import io.holdfast.engine.command.MessageId;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.store.Rows;
import io.holdfast.engine.store.Tables;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Requeues and removes dead letters, on command or because they are kept no longer. */
final class DeadLetterHandler {
  private DeadLetterHandler() {}

  static Reply requeue(Turn turn, DeadLetterFilter filter, long after) {
    return each(turn, filter, after, DeadLetterHandler::requeue);
  }

  static Reply remove(Turn turn, DeadLetterFilter filter, long after) {
    return each(
        turn,
        filter,
        after,
        (t, queue, number, row) -> {
          DeadLetters.remove(t, queue, row, number);
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
    return filter.messageId() != null
        ? ofMessage(turn, queue, filter, MessageId.of(filter.messageId()), after, act)
        : ofQueue(turn, queue, filter, after, act);
  }

  private static Reply ofQueue(
      Turn turn, Queue queue, DeadLetterFilter filter, long after, Act act) {
    CommandBudget.Loop loop = turn.budget().loop();
    long changed = 0;
    long last = after;
    byte[] end = Tables.after(Tables.ofQueue(Tables.DEAD, queue.number));
    try (Rows rows = turn.tx().scan(Tables.dead(queue.number, after + 1), end)) {
      while (rows.next()) {
        if (!loop.mayContinue()) {
          return new Reply.ChangedPart(changed, last);
        }
        last = Tables.long8(rows.key(), 5);
        changed += actIfMatching(turn, queue, filter, last, rows.value(), act) ? 1 : 0;
      }
    }
    return new Reply.ChangedPart(changed, -1);
  }

  private static boolean actIfMatching(
      Turn turn, Queue queue, DeadLetterFilter filter, long number, byte[] bytes, Act act) {
    turn.budget().spend(1, bytes.length);
    DeadRow row = DeadRow.read(bytes);
    return row.matches(filter, turn.state()) && act.on(turn, queue, number, row);
  }

  /** The dead letters of one message need no walk: one for each group that gave it up. */
  private static Reply ofMessage(
      Turn turn, Queue queue, DeadLetterFilter filter, MessageId id, long after, Act act) {
    CommandBudget.Loop loop = turn.budget().loop();
    long changed = 0;
    long last = after;
    for (long number : DeadLetters.numbers(turn, queue, id)) {
      byte[] bytes = number <= after ? null : turn.tx().get(Tables.dead(queue.number, number));
      if (bytes == null) {
        continue;
      }
      if (!loop.mayContinue()) {
        return new Reply.ChangedPart(changed, last);
      }
      last = number;
      changed += actIfMatching(turn, queue, filter, number, bytes, act) ? 1 : 0;
    }
    return new Reply.ChangedPart(changed, -1);
  }

  /** Gives a dead letter back to its group; if that is gone, the letter stays. */
  private static boolean requeue(Turn turn, Queue queue, long number, DeadRow row) {
    Group group = queue.group(row.group());
    Partition partition = turn.state().partition(row.partition());
    SubscriptionRefresh.refresh(turn, partition);
    Subscription subscription =
        group == null || partition == null ? null : partition.subscription(group);
    if (partition == null || subscription == null || group == null) {
      return false;
    }
    DeadLetters.remove(turn, queue, row, number);
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
    returned.requeuedMs = turn.nowMs();
    byte[] chunk = row.chunk().clone();
    Fixed.put(chunk, 0, turn.nowMs(), 6);
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
            returned.row(row.attempts()));
    subscription.putRequeued(turn.tx(), lane.number, row.seq(), chunk);
    if (!stored && row.idSeq() != row.seq()) {
      Finder.moved(turn, partition, row.idSeq(), lane.number, row.seq());
    }
    Tasks.requeued(turn, subscription, row);
    Settlement.place(turn, subscription);
    return true;
  }

  /**
   * Removes dead letters that are kept no longer until the budget is spent: queue by queue, from
   * behind the queue where the tick before ended.
   */
  static void trim(Turn turn) {
    ShardState state = turn.state();
    CommandBudget.Loop loop = turn.budget().loop();
    int first = state.deadTrimmedTo;
    for (int left = state.queues.size(); left > 0; left--) {
      Queue queue = state.queueAfter(first);
      if (queue == null) {
        return;
      }
      first = queue.number;
      if (!trim(turn, queue, loop)) {
        state.deadTrimmedTo(queue.number);
        return;
      }
    }
  }

  /** Whether there are dead letters that are kept no longer. */
  static boolean hasExpired(Turn turn) {
    return turn.state().queues.values().stream()
        .anyMatch(
            queue -> {
              DeadRow.Head oldest = oldest(turn, queue);
              return oldest != null
                  && oldest.diedMs() + queue.rules.deadRetentionMs <= turn.nowMs();
            });
  }

  /** The oldest dead letter of a queue that keeps them for a limited time; null if it has none. */
  private static DeadRow.@Nullable Head oldest(Turn turn, Queue queue) {
    if (keepsAll(queue)) {
      return null;
    }
    byte[] end = Tables.after(Tables.ofQueue(Tables.DEAD, queue.number));
    try (Rows rows = turn.tx().scan(Tables.dead(queue.number, queue.oldestDead), end)) {
      return rows.next() ? DeadRow.Head.read(rows.value()) : null;
    }
  }

  private static boolean keepsAll(Queue queue) {
    return queue.rules.deadRetentionMs == 0
        || queue.groups.stream().allMatch(group -> group.dead == 0);
  }

  /** Removes the oldest dead letters of a queue; false if the budget did not last for all. */
  private static boolean trim(Turn turn, Queue queue, CommandBudget.Loop loop) {
    long keptMs = queue.rules.deadRetentionMs;
    if (keepsAll(queue)) {
      return true;
    }
    byte[] end = Tables.after(Tables.ofQueue(Tables.DEAD, queue.number));
    // Not from the start of the table: that would walk over all that was removed before.
    try (Rows rows = turn.tx().scan(Tables.dead(queue.number, queue.oldestDead), end)) {
      while (rows.next()) {
        queue.oldestDead = Tables.long8(rows.key(), 5);
        byte[] bytes = rows.value();
        if (DeadRow.Head.read(bytes).diedMs() + keptMs > turn.nowMs()) {
          return true;
        }
        if (!loop.mayContinue()) {
          return false;
        }
        turn.budget().spend(1, bytes.length);
        DeadLetters.remove(turn, queue, DeadRow.read(bytes), queue.oldestDead);
      }
    }
    return true;
  }
}
