package io.holdfast.engine.logic;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Brings the subscriptions of partitions in line with the groups and options of their queue, in
 * bounded steps.
 *
 * <p>A new group, a deleted group and changed options concern every partition of a queue. Such a
 * change only raises the queue's generation. A partition of an older generation is refreshed before
 * a command uses its subscriptions, or else by pops and ticks, partition by partition in the order
 * of their names. Until then its subscriptions are in no group's rotation.
 *
 * <p>Invariant: a partition of a generation has a subscription for each group that was made in that
 * generation or before. Its row has the generation, so a restart continues.
 */
final class SubscriptionRefresh {
  private SubscriptionRefresh() {}

  /** The groups or options of a queue have changed: all its partitions have to be refreshed. */
  static void begin(Turn turn, Queue queue) {
    ShardState state = turn.state();
    queue.generation++;
    queue.groups.forEach(Group::clearRotation);
    state.forgetRetained(queue);
    queue.refreshedTo = queue.partitions.isEmpty() ? null : "";
    state.refreshing(queue);
    state.touch(queue);
    some(turn, queue);
  }

  /**
   * Refreshes partitions of a queue until the budget is spent, or as many as upkeep may take;
   * answers whether all are.
   */
  static boolean some(Turn turn, Queue queue) {
    if (queue.refreshedTo == null) {
      return true;
    }
    CommandBudget.Loop loop = turn.budget().loop();
    Map.Entry<String, Partition> next = queue.partitions.higherEntry(queue.refreshedTo);
    int left = CommandBudget.upkeepRowsMax(turn.state().limits());
    while (next != null && left-- > 0 && loop.mayContinue()) {
      refresh(turn, next.getValue());
      queue.refreshedTo = next.getKey();
      next = queue.partitions.higherEntry(next.getKey());
    }
    if (next == null) {
      queue.refreshedTo = null;
      turn.state().refreshing(queue);
    }
    turn.state().touch(queue);
    return next == null;
  }

  /** Refreshes queues until the budget is spent; answers whether all are. */
  static boolean all(Turn turn) {
    Queue queue = turn.state().firstRefreshing();
    while (queue != null) {
      if (!some(turn, queue)) {
        return false;
      }
      queue = turn.state().firstRefreshing();
    }
    return true;
  }

  /** Refreshes one partition, if there is one and it needs that. */
  static void refresh(Turn turn, @Nullable Partition partition) {
    if (partition == null || partition.isCurrent()) {
      return;
    }
    Queue queue = partition.queue;
    turn.budget().spend(1, 0);
    partition.forgetDeletedGroups();
    for (Group group : queue.groups) {
      if (group.generation > partition.generation) {
        GroupHandler.join(turn, group, partition);
      }
    }
    partition.generation = queue.generation;
    partition.retainedBytes = 0;
    turn.state().touch(partition);
    turn.state().recount(partition);
    for (Subscription subscription : partition.subscriptions) {
      Settlement.place(turn, subscription);
    }
  }
}
