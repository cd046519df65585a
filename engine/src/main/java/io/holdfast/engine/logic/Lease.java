package io.holdfast.engine.logic;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a pop granted: the messages a worker holds, until when, and what became of each.
 *
 * <p>Invariant: {@code open} is the sum over the slices; a lease without an open message is over.
 *
 * <p>Only the rules of this package change it; other packages read its public fields.
 */
public final class Lease {
  /** From so many slices on they are found by a map. */
  private static final int MANY = 9;

  public long id;
  public final Group group;
  public final @Nullable String worker;
  public final long leasedMs;
  final long lengthMs;
  public long untilMs;

  /** Identifies the pop that was granted this lease, and its repeats; null for none. */
  @Nullable String attemptId;

  /** Whether it was granted for one message alone, because that one has expired before. */
  boolean alone;

  public final List<Slice> slices = new ArrayList<>(1);
  public int open;

  /** Slices of which something was closed, and that have not been looked at since. */
  private final List<Slice> touched = new ArrayList<>(1);

  /** By partition, once there are too many to go over; null before. */
  private @Nullable Map<Long, Slice> byPartition;

  /** How many cancelled messages its holder has been told of. */
  int told;

  /** Whether a row of it has been written. */
  boolean stored;

  boolean dirty;
  boolean ended;

  Lease(long id, Group group, @Nullable String worker, long leasedMs, long lengthMs) {
    this.id = id;
    this.group = group;
    this.worker = worker;
    this.leasedMs = leasedMs;
    this.lengthMs = lengthMs;
    this.untilMs = leasedMs + lengthMs;
  }

  public @Nullable Slice slice(long partition) {
    Map<Long, Slice> map = byPartition;
    if (map != null) {
      return map.get(partition);
    }
    for (Slice slice : slices) {
      if (slice.subscription.partition.number == partition) {
        return slice;
      }
    }
    return null;
  }

  Slice sliceOf(Subscription subscription) {
    Slice slice = slice(subscription.partition.number);
    if (slice == null) {
      slice = new Slice(subscription);
      add(slice);
    }
    return slice;
  }

  private void add(Slice slice) {
    slices.add(slice);
    if (slices.size() < MANY) {
      return;
    }
    Map<Long, Slice> map = byPartition;
    if (map == null) {
      map = new HashMap<>();
      byPartition = map;
      for (Slice each : slices) {
        map.put(each.subscription.partition.number, each);
      }
    }
    map.put(slice.subscription.partition.number, slice);
  }

  /** Closes a message of a slice. */
  void close(Slice slice, int item, byte how) {
    slice.items.close(item, how);
    open--;
    if (touched.isEmpty() || touched.getLast() != slice) {
      touched.add(slice);
    }
  }

  /** The slices of which something was closed since this was last asked, some perhaps twice. */
  List<Slice> takeTouched() {
    List<Slice> some = List.copyOf(touched);
    touched.clear();
    return some;
  }

  /** The first seq of a lane, at or after one, that it holds. */
  long lowestOpen(Subscription subscription, int lane, long fromSeq) {
    Slice slice = slice(subscription.partition.number);
    return slice == null ? Long.MAX_VALUE : slice.lowestOpen(lane, fromSeq);
  }

  /** The lease of a row; its group may be one that stands for deleted groups. */
  static Lease read(long id, LeaseRow row, Group group, ShardState state) {
    Lease lease = new Lease(id, group, row.worker(), row.leasedMs(), row.lengthMs());
    lease.untilMs = row.untilMs();
    lease.alone = row.alone();
    lease.told = row.told();
    lease.attemptId = row.attemptId();
    lease.stored = true;
    for (LeaseRow.Part part : row.parts()) {
      Partition partition =
          group.deleted
              ? new Partition(group.queue, part.partition(), "", 0)
              : state.partition(part.partition());
      Subscription subscription =
          partition == null || group.deleted ? null : partition.subscription(group);
      if (group.deleted && partition != null) {
        subscription = new Subscription(group, partition);
      }
      if (subscription == null) {
        throw new IllegalStateException("lease " + id + " names a partition that is not there");
      }
      lease.add(new Slice(subscription, part.items()));
      lease.open += part.items().open();
    }
    return lease;
  }
}
