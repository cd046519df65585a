package io.holdfast.engine.logic;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a pop granted: the messages a worker holds, until when, and what became of each.
 *
 * <p>Invariant: {@code open} is the sum over the slices; a lease without an open message is over.
 */
final class Lease {
  final long id;
  final Group group;
  final @Nullable String worker;
  final long leasedMs;
  final long lengthMs;
  long untilMs;

  /** Whether it was granted for one message alone, because that one has expired before. */
  boolean alone;

  final List<Slice> slices = new ArrayList<>(1);
  int open;

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

  @Nullable Slice slice(long partition) {
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
      slices.add(slice);
    }
    return slice;
  }

  /** The first seq of a lane, at or after one, that it holds. */
  long lowestOpen(Subscription subscription, int lane, long fromSeq) {
    Slice slice = slice(subscription.partition.number);
    return slice == null ? Long.MAX_VALUE : slice.lowestOpen(lane, fromSeq);
  }

  static Lease read(long id, byte[] bytes, ShardState state) {
    LeaseRow row = LeaseRow.read(bytes);
    Queue queue = state.queue(row.queue());
    Group group = queue == null ? null : queue.group(row.group());
    if (queue == null || group == null) {
      throw new IllegalStateException("lease " + id + " names a group that does not exist");
    }
    Lease lease = new Lease(id, group, row.worker(), row.leasedMs(), row.lengthMs());
    lease.untilMs = row.untilMs();
    lease.alone = row.alone();
    lease.told = row.told();
    lease.stored = true;
    for (LeaseRow.Part part : row.parts()) {
      Partition partition = state.partition(part.partition());
      Subscription subscription = partition == null ? null : partition.subscription(group);
      if (subscription == null) {
        throw new IllegalStateException("lease " + id + " names a partition that is not there");
      }
      lease.slices.add(new Slice(subscription, part.items()));
      lease.open += part.items().open();
    }
    return lease;
  }
}
