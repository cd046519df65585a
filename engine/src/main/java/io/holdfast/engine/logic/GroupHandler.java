package io.holdfast.engine.logic;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.group.SeekRequest;
import io.holdfast.api.group.Sought;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.group.SubscribeRequest;
import io.holdfast.engine.command.Chunk;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Effect;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.store.Tables;
import org.jspecify.annotations.Nullable;

/** Makes groups, moves them, and forgets them. */
final class GroupHandler {
  private GroupHandler() {}

  static Group create(Turn turn, Queue queue, String name, StartFrom start) {
    ShardState state = turn.state();
    Group group = new Group(queue, queue.nextGroup++, name, start, turn.nowMs());
    group.starts.change(0, start, turn.nowMs());
    queue.groups.add(group);
    state.groupCount++;
    state.subscriptionCount += queue.partitions.size();
    state.touch(group);
    group.generation = queue.generation + 1;
    SubscriptionRefresh.begin(turn, queue);
    return group;
  }

  /** Lets a group begin on a partition that was there before it. */
  static void join(Turn turn, Group group, Partition partition) {
    Subscription subscription = new Subscription(group, partition);
    for (Lane lane : partition.lanes) {
      begin(turn, subscription, lane, group.start);
      turn.budget().spend(1, 0);
    }
    partition.add(subscription);
  }

  /** Puts a new cursor where its group begins, but not before what may still be delivered. */
  private static void begin(Turn turn, Subscription subscription, Lane lane, StartFrom start) {
    subscription.group.waiting += subscription.waiting(lane);
    switch (start) {
      case StartFrom.All all -> toOldest(turn, subscription, lane, 0);
      case StartFrom.New fresh -> Cursors.toEnd(turn, subscription, lane);
      case StartFrom.Time time -> toOldest(turn, subscription, lane, time.fromMs());
    }
  }

  private static void toOldest(Turn turn, Subscription subscription, Lane lane, long fromMs) {
    Partition partition = subscription.partition;
    long oldestMs =
        partition.subscriptions.isEmpty() || lane.isEmpty() ? 0 : oldestMs(turn, partition, lane);
    long beginMs = Math.max(fromMs, oldestMs);
    if (beginMs > 0) {
      toTime(turn, subscription, lane, beginMs);
    } else if (lane.purgedSeq > lane.firstSeq) {
      Cursors.toPurged(turn, subscription, lane);
    }
  }

  /** Moves a cursor to the first message that entered at or after a time. */
  private static void toTime(Turn turn, Subscription subscription, Lane lane, long fromMs) {
    Chunk chunk = null;
    if (fromMs <= lane.lastEnteredMs && !lane.isEmpty()) {
      turn.budget().spend(LaneLog.searchSteps(lane), 0);
      chunk = LaneLog.enteredFrom(turn.tx(), subscription.partition, lane, fromMs);
    }
    if (chunk == null) {
      Cursors.toEnd(turn, subscription, lane);
    } else if (chunk.firstSeq() < lane.purgedSeq) {
      Cursors.toPurged(turn, subscription, lane);
    } else {
      Cursors.toStart(turn, subscription, lane, chunk);
    }
  }

  /** Changes where a group begins on partitions that come later. */
  static Reply subscribe(Turn turn, SubscribeRequest request) {
    Queue queue = turn.state().queue(request.queue());
    Group group = queue == null ? null : queue.group(request.group());
    if (group == null) {
      return Turn.refused(
          ErrorCode.NOT_FOUND,
          "there is no group " + request.group() + " of a queue " + request.queue());
    }
    if (group.starts.isFull(turn.nowMs())) {
      return Turn.refused(
          ErrorCode.LIMIT,
          "group "
              + group.name
              + " waits for "
              + LogicLimits.STARTS_MAX
              + " times already; change it again when some of them are over");
    }
    StartFrom before = group.start;
    group.start = request.start();
    group.starts.change(turn.state().partitions.next, request.start(), turn.nowMs());
    turn.state().touch(group);
    return new Reply.ChangedStart(before);
  }

  static Reply seek(Turn turn, SeekRequest request, @Nullable String from) {
    Queue queue = turn.state().queue(request.queue());
    Group group = queue == null ? null : queue.group(request.group());
    if (queue == null || group == null) {
      return Turn.refused(
          ErrorCode.NOT_FOUND,
          "there is no group " + request.group() + " of a queue " + request.queue());
    }
    Stretch stretch = Stretch.of(queue, request.partition(), from);
    if (stretch.partitions().isEmpty() && request.partition() != null) {
      return Turn.refused(
          ErrorCode.NOT_FOUND, "queue " + queue.name + " has no partition " + request.partition());
    }
    boolean clamped = request.partition() == null && reachesDropped(queue, request.to());
    int partitions = 0;
    String next = stretch.next();
    CommandBudget.Loop loop = turn.budget().loop();
    for (Partition partition : stretch.partitions()) {
      if (!loop.mayContinue()) {
        next = partition.name;
        break;
      }
      partitions++;
      SubscriptionRefresh.refresh(turn, partition);
      Subscription subscription = partition.subscription(group);
      if (subscription != null) {
        clamped |= seek(turn, subscription, request.to());
      }
    }
    return new Reply.SoughtGroup(new Sought(partitions, clamped, group.lag()), next);
  }

  /** Moves a group on one partition; answers whether it begins later than it was asked to. */
  private static boolean seek(Turn turn, Subscription subscription, SeekRequest.To to) {
    Partition partition = subscription.partition;
    letGo(turn, subscription);
    boolean clamped = false;
    for (Lane lane : partition.lanes) {
      clamped |= seek(turn, subscription, lane, to);
      turn.budget().spend(1, 0);
    }
    turn.state().recount(partition);
    Settlement.place(turn, subscription);
    return clamped;
  }

  /** Whether a seek would reach messages of partitions that were dropped since. */
  private static boolean reachesDropped(Queue queue, SeekRequest.To to) {
    return switch (to) {
      case SeekRequest.To.End end -> false;
      case SeekRequest.To.Beginning beginning -> queue.droppedMs > 0;
      case SeekRequest.To.Time time -> time.fromMs() <= queue.droppedMs;
    };
  }

  private static boolean seek(Turn turn, Subscription subscription, Lane lane, SeekRequest.To to) {
    return switch (to) {
      case SeekRequest.To.End end -> {
        Cursors.toEnd(turn, subscription, lane);
        yield false;
      }
      case SeekRequest.To.Beginning beginning -> {
        long oldestMs = oldestMs(turn, subscription.partition, lane);
        toTime(turn, subscription, lane, oldestMs);
        yield subscription.cursor(lane).taken > 0;
      }
      case SeekRequest.To.Time time -> {
        long oldestMs = oldestMs(turn, subscription.partition, lane);
        toTime(turn, subscription, lane, Math.max(time.fromMs(), oldestMs));
        yield time.fromMs() < oldestMs && subscription.cursor(lane).taken > 0;
      }
    };
  }

  /** The entry time of the oldest message that may still be delivered. */
  private static long oldestMs(Turn turn, Partition partition, Lane lane) {
    Rules rules = partition.queue.rules;
    long settledFromMs = turn.nowMs() - rules.completedMs + 1;
    long unsettled = lane.endSeq;
    for (Subscription subscription : partition.subscriptions) {
      unsettled = Math.min(unsettled, subscription.lowestUnsettled(lane));
    }
    Chunk chunk = LaneLog.at(turn, partition, lane, Math.max(unsettled, lane.firstSeq), 0);
    long unsettledFromMs = chunk == null ? Long.MAX_VALUE : chunk.enteredMs();
    Chunk head = LaneLog.at(turn, partition, lane, lane.firstSeq, 0);
    long headMs = head == null ? 0 : head.enteredMs();
    return Math.max(headMs, Math.min(settledFromMs, unsettledFromMs));
  }

  /** Ends what a group's leases hold of a partition, and forgets what came back. */
  static void letGo(Turn turn, Subscription subscription) {
    for (Lease lease : subscription.leases.copy()) {
      Slice slice = lease.slice(subscription.partition.number);
      for (int i = 0; slice != null && i < slice.items.size(); i++) {
        if (slice.items.status(i) == Items.OPEN) {
          new Settlement(turn, lease, slice, i).dropHold();
        }
      }
      Settlement.finish(turn, lease);
    }
    for (Lane lane : subscription.partition.lanes) {
      LaneCursor cursor = subscription.cursor(lane);
      long ahead = cursor.returnedAhead();
      Cursors.forgetAllReturned(turn, subscription, lane);
      subscription.group.waiting += ahead;
    }
  }

  static Reply delete(Turn turn, Command.DeleteGroup delete) {
    Queue queue = turn.state().queue(delete.queue());
    Group group = queue == null ? null : queue.group(delete.group());
    if (queue == null || group == null) {
      return Turn.refused(
          ErrorCode.NOT_FOUND,
          "there is no group " + delete.group() + " of a queue " + delete.queue());
    }
    DeadLetterFilter dead = DeadLetterFilter.queue(queue.name).group(group.name);
    Reply removed = DeadLetterHandler.remove(turn, dead, delete.after());
    if (removed instanceof Reply.ChangedPart part && part.next() >= 0) {
      return new Reply.ChangedPart(0, part.next());
    }
    return new Reply.ChangedPart(delete(turn, queue, group), -1);
  }

  /** Forgets a group without dead letters; answers how many messages it had still to settle. */
  private static long delete(Turn turn, Queue queue, Group group) {
    long lag = group.lag();
    group.deleted = true;
    queue.groups.remove(group);
    group.clearRotation();
    turn.state().orphanLeasesOf(group);
    Expiry.endOrphans(turn);
    turn.state().groupCount--;
    turn.state().subscriptionCount -= queue.partitions.size();
    turn.tx().delete(Tables.group(queue.number, group.number));
    for (byte table : new byte[] {Tables.CURSORS, Tables.RETURNED, Tables.REQUEUED}) {
      byte[] start = Tables.ofGroup(table, queue.number, group.number);
      turn.tx().deleteRange(start, Tables.after(start));
    }
    SubscriptionRefresh.begin(turn, queue);
    Tasks.groupDeleted(turn, queue);
    // A pop that waits makes its group anew, now rather than after the next push.
    turn.effects().add(new Effect.WakeQueue(queue.name));
    return lag;
  }
}
