package io.holdfast.engine.logic;

import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An ordering unit of a queue: its lanes, and a subscription for each group of the queue.
 *
 * <p>Only the rules of this package change it; other packages read its public fields.
 */
public final class Partition {
  public final Queue queue;
  public final long number;
  public final String name;

  /** When it was made: no message of it has an older id. */
  long createdMs;

  /** By lane number, ascending. Replaced when it changes: most are of one, and smallest so. */
  public List<Lane> lanes = List.of();

  /** One for each group of the queue; see {@link SubscriptionRefresh}. Replaced when it changes. */
  public List<Subscription> subscriptions = List.of();

  /** The generation of its queue at which its subscriptions were last refreshed. */
  long generation;

  public long nextSeq = 1;
  public long lastPushMs;
  public long delayed;

  /**
   * Whether its messages have, or had, rows elsewhere: a name, or a place their id does not tell.
   */
  public boolean indexed;

  /** Rows that name it from elsewhere: dead letters, tasks, names that outlive their messages. */
  public long kept;

  /** Settled bytes that are still kept, as last counted. */
  long retainedBytes;

  boolean dirty;

  Partition(Queue queue, long number, String name, long createdMs) {
    this.queue = queue;
    this.number = number;
    this.name = name;
    this.createdMs = createdMs;
    this.generation = queue.generation;
  }

  public @Nullable Lane lane(int number) {
    for (Lane lane : lanes) {
      if (lane.number == number) {
        return lane;
      }
    }
    return null;
  }

  Lane laneOrNew(int number) {
    int at = 0;
    for (; at < lanes.size(); at++) {
      Lane lane = lanes.get(at);
      if (lane.number == number) {
        return lane;
      }
      if (lane.number > number) {
        break;
      }
    }
    Lane lane = new Lane(number, nextSeq);
    lanes = with(lanes, at, lane);
    subscriptions.forEach(subscription -> subscription.laneAdded(lane));
    return lane;
  }

  /** Makes the cursors of all groups, because the oldest message of a lane is about to change. */
  void openCursors() {
    subscriptions.forEach(Subscription::openCursors);
  }

  void remove(Lane lane) {
    lanes = List.copyOf(lanes.stream().filter(each -> each != lane).toList());
  }

  void add(Subscription subscription) {
    subscriptions = with(subscriptions, subscriptions.size(), subscription);
  }

  void forgetDeletedGroups() {
    for (Subscription subscription : subscriptions) {
      if (subscription.group.deleted) {
        subscriptions =
            List.copyOf(subscriptions.stream().filter(each -> !each.group.deleted).toList());
        return;
      }
    }
  }

  private static <T> List<T> with(List<T> some, int at, T added) {
    if (some.isEmpty()) {
      return List.of(added);
    }
    List<T> all = new ArrayList<>(some);
    all.add(at, added);
    return List.copyOf(all);
  }

  /** A lane that may be entered: the wanted one, or the next one if there are too many already. */
  int openLane(int wanted) {
    if (lanes.size() < LogicLimits.LANES_MAX || lane(wanted) != null) {
      return wanted;
    }
    for (Lane lane : lanes) {
      if (lane.number > wanted) {
        return lane.number;
      }
    }
    return lanes.getLast().number;
  }

  public @Nullable Subscription subscription(Group group) {
    for (Subscription subscription : subscriptions) {
      if (subscription.group == group) {
        return subscription;
      }
    }
    return null;
  }

  /** Whether its subscriptions are in line with the groups of its queue. */
  boolean isCurrent() {
    return generation == queue.generation;
  }

  boolean holdsNothing() {
    return delayed == 0
        && kept == 0
        && lanes.stream().allMatch(Lane::isEmpty)
        && subscriptions.stream().allMatch(Subscription::holdsNothing);
  }

  /** What errors and reports call it. */
  public String title() {
    return "partition " + name + " of queue " + queue.name;
  }

  byte[] row() {
    ByteWriter out = new ByteWriter(64 + name.length());
    out.text(name)
        .varint(createdMs)
        .varint(nextSeq)
        .varint(lastPushMs)
        .varint(delayed)
        .varint(kept);
    out.varint(lanes.size());
    lanes.forEach(lane -> lane.write(out));
    out.flag(indexed).varint(generation);
    return out.done();
  }

  public static Partition read(Queue queue, long number, byte[] row) {
    ByteReader in = new ByteReader(row);
    Partition partition = new Partition(queue, number, in.text(), in.varint());
    partition.nextSeq = in.varint();
    partition.lastPushMs = in.varint();
    partition.delayed = in.varint();
    partition.kept = in.varint();
    for (int left = in.count(); left > 0; left--) {
      partition.lanes = with(partition.lanes, partition.lanes.size(), Lane.read(in));
    }
    partition.indexed = in.flag();
    partition.generation = in.varint();
    return partition;
  }
}
