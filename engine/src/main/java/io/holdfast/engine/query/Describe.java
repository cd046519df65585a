package io.holdfast.engine.query;

import io.holdfast.api.lease.HeldLease;
import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.PartitionInfo;
import io.holdfast.api.queue.QueueLoad;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.logic.Group;
import io.holdfast.engine.logic.Lane;
import io.holdfast.engine.logic.Lease;
import io.holdfast.engine.logic.Partition;
import io.holdfast.engine.logic.Queue;
import io.holdfast.engine.logic.Subscription;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Queues and partitions in the words of the api. */
final class Describe {
  private Describe() {}

  /** What goes through a queue; how old its oldest message is has to be looked up. */
  static QueueLoad load(Queue queue) {
    long lag = queue.groups.isEmpty() ? queue.stored : 0;
    for (Group group : queue.groups) {
      lag = Math.max(lag, group.lag());
    }
    return new QueueLoad(
        queue.name, lag, 0, queue.pushed, queue.delivered, queue.acked, queue.nacked, queue.died);
  }

  static HeldLease lease(Lease lease) {
    return new HeldLease(
        LeaseId.text(lease.id),
        lease.group.name,
        lease.worker,
        lease.slices.getFirst().subscription.partition.name,
        lease.slices.size(),
        lease.leasedMs,
        lease.untilMs,
        lease.open);
  }

  /** A partition as a group sees it; without one, as the slowest of all does. */
  static PartitionInfo partition(Partition partition, @Nullable Group group) {
    List<Subscription> subscriptions = new ArrayList<>();
    for (Subscription subscription : partition.subscriptions) {
      if (!subscription.group.deleted && (group == null || subscription.group == group)) {
        subscriptions.add(subscription);
      }
    }
    List<PartitionInfo.LaneInfo> lanes = new ArrayList<>();
    long stored = 0;
    long bytes = 0;
    for (Lane lane : partition.lanes) {
      long waiting = subscriptions.isEmpty() ? lane.stored() : 0;
      for (Subscription subscription : subscriptions) {
        waiting = Math.max(waiting, subscription.waiting(lane));
      }
      lanes.add(
          new PartitionInfo.LaneInfo(lane.number, lane.stored(), waiting, lane.storedBytes()));
      stored += lane.stored();
      bytes += lane.storedBytes();
    }
    long waiting = subscriptions.isEmpty() ? stored : 0;
    long returned = 0;
    long inFlight = 0;
    for (Subscription subscription : subscriptions) {
      waiting = Math.max(waiting, subscription.waiting());
      returned += subscription.returned;
      inFlight += subscription.inFlight;
    }
    return new PartitionInfo(
        partition.queue.name,
        partition.name,
        partition.number,
        partition.lastPushMs,
        lanes,
        new Counts(stored, waiting, returned, inFlight, partition.delayed, 0, bytes));
  }
}
