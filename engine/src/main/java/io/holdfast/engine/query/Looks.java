package io.holdfast.engine.query;

import io.holdfast.api.Page;
import io.holdfast.api.Stats;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.lease.HeldLease;
import io.holdfast.api.lease.LeaseInfo;
import io.holdfast.api.lease.LeasesRequest;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.queue.LoadsRequest;
import io.holdfast.api.queue.PartitionInfo;
import io.holdfast.api.queue.PartitionsRequest;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueLoad;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueuesRequest;
import io.holdfast.api.task.TaskInfo;
import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.MessageId;
import io.holdfast.engine.logic.Finder;
import io.holdfast.engine.logic.Group;
import io.holdfast.engine.logic.Items;
import io.holdfast.engine.logic.LaneLog;
import io.holdfast.engine.logic.Lease;
import io.holdfast.engine.logic.Partition;
import io.holdfast.engine.logic.Queue;
import io.holdfast.engine.logic.ShardState;
import io.holdfast.engine.logic.Subscription;
import io.holdfast.engine.logic.TaskRow;
import io.holdfast.engine.logic.TimedRows;
import io.holdfast.engine.store.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Questions that the index of a shard answers by itself, between two commands. */
public final class Looks {
  /** Leases of all queues that one page goes through to find those of one. */
  private static final int LEASES_LOOKED_MAX = 20_000;

  private Looks() {}

  /**
   * When something next happens with time alone: a message becomes visible or may be tried again, a
   * lease ends. It may be too early, never too late; {@link Long#MAX_VALUE} for never.
   */
  public static long dueMs(ShardView view) {
    long dueMs = view.state().nextDueMs();
    for (Queue queue : view.state().queues.values()) {
      for (Group group : queue.groups) {
        for (Subscription subscription : group.later) {
          // What is past waits for a pop alone.
          if (subscription.notBeforeMs > view.nowMs()) {
            dueMs = Math.min(dueMs, subscription.notBeforeMs);
            break;
          }
        }
      }
    }
    return dueMs;
  }

  /** A lease that lives or is remembered; null if there is none of that id. */
  public static @Nullable LeaseInfo lease(ShardView view, String leaseId) {
    long id = LeaseId.number(leaseId);
    Lease lease = view.state().leases.get(id);
    if (lease != null && !ShardState.isGone(lease.group)) {
      boolean over = lease.untilMs <= view.nowMs();
      return new LeaseInfo(
          leaseId,
          over ? LeaseInfo.State.LOST : LeaseInfo.State.LIVE,
          lease.group.queue.name,
          lease.group.name,
          lease.worker,
          lease.untilMs,
          over ? 0 : lease.open);
    }
    byte[] row = view.state().ended.get(view.rows(), Tables.id(id), view.nowMs());
    return row == null ? null : ended(view, leaseId, row);
  }

  private static LeaseInfo ended(ShardView view, String leaseId, byte[] row) {
    ByteReader in = TimedRows.content(row);
    LeaseInfo.State state = LeaseInfo.State.SETTLED;
    String queue = null;
    for (int left = in.count(); left > 0; left--) {
      Partition partition = view.state().partition(in.varint());
      queue = partition == null ? queue : partition.queue.name;
      Items items = Items.read(in);
      for (int i = 0; i < items.size(); i++) {
        state = items.status(i) == Items.SETTLED ? state : LeaseInfo.State.LOST;
      }
    }
    return new LeaseInfo(leaseId, state, queue, null, null, TimedRows.untilMs(row), 0);
  }

  public static @Nullable QueueInfo queue(ShardView view, String name) {
    Queue queue = view.state().queue(name);
    return queue == null ? null : queue.describe();
  }

  public static Page<QueueInfo> queues(ShardView view, QueuesRequest request) {
    List<QueueInfo> items = new ArrayList<>();
    String from = request.after() == null ? request.prefix() : request.after();
    for (Queue queue : view.state().queues.tailMap(from, request.after() == null).values()) {
      if (!queue.name.startsWith(request.prefix())) {
        if (queue.name.compareTo(request.prefix()) < 0) {
          continue;
        }
        break;
      }
      if (has(queue, QueueOption.NAMESPACE, request.namespace())
          && has(queue, QueueOption.TASK, request.task())) {
        if (items.size() == request.limit()) {
          return new Page<>(items, items.getLast().name());
        }
        items.add(queue.describe());
      }
    }
    return new Page<>(items, null);
  }

  private static boolean has(Queue queue, QueueOption option, @Nullable String wanted) {
    return wanted == null || queue.rules.options.text(option).equals(wanted);
  }

  /** The partitions of a queue; null if there is no such queue, or no such group of it. */
  public static @Nullable Page<PartitionInfo> partitions(
      ShardView view, PartitionsRequest request) {
    Queue queue = view.state().queue(request.queue());
    Group group = queue == null || request.group() == null ? null : queue.group(request.group());
    if (queue == null || (request.group() != null && group == null)) {
      return null;
    }
    SortedMap<String, Partition> rest =
        request.after() == null
            ? queue.partitions
            : queue.partitions.tailMap(request.after(), false);
    List<PartitionInfo> items = new ArrayList<>();
    for (Partition partition : rest.values()) {
      if (items.size() == request.limit()) {
        return new Page<>(items, items.getLast().name());
      }
      items.add(Describe.partition(partition, group));
    }
    return new Page<>(items, null);
  }

  /**
   * A page of groups, and where their oldest messages are.
   *
   * @param heads by group, in the order of the groups
   * @param next where the next page begins; null after the last one
   */
  public record Groups(List<GroupInfo> groups, List<List<Head>> heads, @Nullable String next) {}

  /** Where the oldest unsettled message of a subscription is. */
  public record Head(LaneLog.Range range, long seq) {}

  /** The groups that are asked for, by queue and age; null if there is no such queue. */
  public static @Nullable Groups groups(ShardView view, GroupsRequest request) {
    ShardState state = view.state();
    if (request.queue() != null && state.queue(request.queue()) == null) {
      return null;
    }
    GroupPlace after = GroupPlace.of(request);
    List<Group> page = new ArrayList<>();
    String next = null;
    for (Queue queue : state.queues.tailMap(after.queue(), true).values()) {
      if (next != null) {
        break;
      }
      if (request.queue() != null && !request.queue().equals(queue.name)) {
        continue;
      }
      for (Group group : queue.groups) {
        if (after.isBefore(group)
            && (request.group() == null || request.group().equals(group.name))) {
          if (page.size() == request.limit()) {
            next = GroupPlace.of(page.getLast()).text();
            break;
          }
          page.add(group);
        }
      }
    }
    Heads heads = new Heads();
    return new Groups(
        page.stream().map(Looks::describe).toList(), page.stream().map(heads::of).toList(), next);
  }

  private static GroupInfo describe(Group group) {
    return new GroupInfo(
        group.queue.name,
        group.name,
        group.start,
        group.createdMs,
        group.lag(),
        0,
        group.waiting,
        group.returned,
        group.inFlight,
        group.dead,
        group.leases.size());
  }

  /**
   * A page of loads, and where the oldest messages of their queues are.
   *
   * @param heads by queue, in the order of the loads
   * @param next where the next page begins; null after the last one
   */
  public record Loads(List<QueueLoad> loads, List<List<Head>> heads, @Nullable String next) {}

  public static Loads loads(ShardView view, LoadsRequest request) {
    List<QueueLoad> loads = new ArrayList<>();
    List<List<Head>> found = new ArrayList<>();
    Heads heads = new Heads();
    String after = request.after();
    SortedMap<String, Queue> queues = view.state().queues;
    for (Queue queue :
        (after == null ? queues : view.state().queues.tailMap(after, false)).values()) {
      if (loads.size() == request.limit()) {
        return new Loads(loads, found, loads.getLast().queue());
      }
      loads.add(Describe.load(queue));
      found.add(heads.of(queue));
    }
    return new Loads(loads, found, null);
  }

  /**
   * The live leases of a queue or of one group, those that end first in front; null if there is no
   * such queue. A page may be short although there is a next.
   */
  public static @Nullable Page<HeldLease> leases(ShardView view, LeasesRequest request) {
    Queue queue = view.state().queue(request.queue());
    if (queue == null) {
      return null;
    }
    List<HeldLease> items = new ArrayList<>();
    LeasePlace after = LeasePlace.of(request);
    int looked = 0;
    for (Lease lease : view.state().leasesAfter(after.untilMs(), after.id())) {
      if (items.size() == request.limit() || looked++ == LEASES_LOOKED_MAX) {
        return new Page<>(items, after.text());
      }
      after = new LeasePlace(lease.untilMs, lease.id);
      if (lease.group.queue == queue
          && !lease.group.deleted
          && lease.untilMs > view.nowMs()
          && (request.group() == null || request.group().equals(lease.group.name))) {
        items.add(Describe.lease(lease));
      }
    }
    return new Page<>(items, null);
  }

  /**
   * The number of a queue, the partition of the message that a filter names (0 if it names none, or
   * one that is not there), and how many dead letters the filter takes in, if that is known.
   */
  public record Dead(int queue, long partition, long known) {}

  /**
   * What the index knows of the dead letters that are asked for; null if there is no such queue.
   */
  public static @Nullable Dead dead(ShardView view, DeadLetterFilter filter) {
    Queue queue = view.state().queue(filter.queue());
    if (queue == null) {
      return null;
    }
    boolean counted =
        filter.partition() == null
            && filter.messageId() == null
            && filter.errorContains() == null
            && filter.fromMs() == 0
            && filter.toMs() == Long.MAX_VALUE;
    long known = 0;
    for (Group group : queue.groups) {
      if (filter.group() == null || filter.group().equals(group.name)) {
        known += group.dead;
      }
    }
    Partition partition =
        filter.messageId() == null
            ? null
            : view.state().partition(MessageId.of(filter.messageId()));
    return new Dead(queue.number, partition == null ? 0 : partition.number, counted ? known : -1);
  }

  /** The number of a queue; 0 if there is none of that name. */
  public static int number(ShardView view, String queue) {
    Queue found = view.state().queue(queue);
    return found == null ? 0 : found.number;
  }

  public static @Nullable TaskInfo task(ShardView view, MessageRef ref) {
    MessageId id = Finder.id(view.state(), view.rows(), ref);
    Partition partition = id == null ? null : view.state().partition(id);
    if (id == null || partition == null) {
      return null;
    }
    byte[] row = view.rows().get(Tables.task(partition.queue.number, partition.number, id.seq()));
    TaskRow task = row == null ? null : TaskRow.read(row, partition.queue);
    return task == null || task.publishedMs != id.createdMs()
        ? null
        : task.describe(partition, id.seq());
  }

  /** What the state knows of the broker as a whole; the shard adds what it knows of itself. */
  public static Stats stats(
      ShardView view,
      String durability,
      long openedMs,
      int mailboxDepth,
      int parked,
      long batches,
      long synced,
      long syncNanos,
      long clockAheadMs) {
    ShardState state = view.state();
    long delayed = 0;
    long dead = 0;
    for (Queue queue : state.queues.values()) {
      delayed += queue.delayed;
      for (Group group : queue.groups) {
        dead += group.dead;
      }
    }
    return new Stats(
        durability,
        openedMs,
        view.nowMs(),
        state.appliedIndex(),
        state.queues.size(),
        state.partitionCount,
        state.groupCount,
        state.leases.size(),
        delayed,
        dead,
        state.storedBytes,
        state.retainedBytes,
        mailboxDepth,
        parked,
        state.totals.now(),
        batches,
        synced,
        syncNanos,
        clockAheadMs);
  }
}
