package io.holdfast.engine.query;

import io.holdfast.engine.logic.Group;
import io.holdfast.engine.logic.Lane;
import io.holdfast.engine.logic.LaneLog;
import io.holdfast.engine.logic.Partition;
import io.holdfast.engine.logic.Queue;
import io.holdfast.engine.logic.Subscription;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Finds where the oldest unsettled messages are, without a walk over all partitions.
 *
 * <p>Invariant: whatever there is, one page of groups or queues costs a bounded number of steps. So
 * of a queue in which very many partitions have work, those that were served longest ago are looked
 * at; they have waited longest.
 */
final class Heads {
  /** Heads that one page of a list looks for. */
  private static final int PAGE_MAX = 10_000;

  /** Heads of one queue or group, while the page has room. */
  private static final int EACH_MAX = 1_000;

  /** Heads of one queue or group, whether the page has room or not. */
  private static final int EACH_MIN = 10;

  /** Partitions that one page goes through to find those whose work is all leased. */
  private static final int WALK_MAX = 20_000;

  /** Leases of one partition that are looked at. */
  private static final int LEASES_MAX = 100;

  private int left = PAGE_MAX;
  private int walkLeft = WALK_MAX;

  /** The heads of a queue: those of its groups, or without groups those of all it holds. */
  List<Looks.Head> of(Queue queue) {
    List<Looks.Head> heads = new ArrayList<>();
    int most = allowance();
    for (Group group : queue.groups) {
      add(heads, group, most);
    }
    if (queue.groups.isEmpty() && queue.stored > 0) {
      for (Iterator<Partition> each = queue.partitions.values().iterator();
          each.hasNext() && heads.size() < most; ) {
        addStored(heads, each.next());
      }
    }
    left -= heads.size();
    return heads;
  }

  List<Looks.Head> of(Group group) {
    List<Looks.Head> heads = new ArrayList<>();
    add(heads, group, allowance());
    left -= heads.size();
    return heads;
  }

  private int allowance() {
    return Math.clamp(left, EACH_MIN, EACH_MAX);
  }

  private void add(List<Looks.Head> heads, Group group, int most) {
    if (group.lag() == 0) {
      return;
    }
    for (Iterable<Subscription> some : List.of(group.ready, group.later)) {
      for (Iterator<Subscription> each = some.iterator(); each.hasNext() && heads.size() < most; ) {
        addUnsettled(heads, each.next());
      }
    }
    if (group.inFlight > 0) {
      addHeld(heads, group, most);
    }
  }

  /** Partitions that are locked by a lease wait for no turn: only a walk finds them. */
  private void addHeld(List<Looks.Head> heads, Group group, int most) {
    for (Partition partition : group.queue.partitions.values()) {
      if (heads.size() >= most || walkLeft-- <= 0) {
        return;
      }
      Subscription subscription = partition.subscription(group);
      if (subscription != null
          && subscription.place() == Subscription.Place.OUT
          && !subscription.leases.isEmpty()) {
        addUnsettled(heads, subscription);
      }
    }
  }

  private static void addUnsettled(List<Looks.Head> heads, Subscription subscription) {
    Partition partition = subscription.partition;
    for (Lane lane : partition.lanes) {
      long seq = subscription.lowestUnsettled(lane, LEASES_MAX);
      if (seq < lane.endSeq) {
        heads.add(new Looks.Head(LaneLog.range(partition, lane), seq));
      }
    }
  }

  private static void addStored(List<Looks.Head> heads, Partition partition) {
    for (Lane lane : partition.lanes) {
      long seq = Math.max(lane.firstSeq, lane.purgedSeq);
      if (!lane.isEmpty() && seq < lane.endSeq) {
        heads.add(new Looks.Head(LaneLog.range(partition, lane), seq));
      }
    }
  }
}
