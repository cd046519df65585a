package io.holdfast.engine.logic;

import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
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

  byte[] row() {
    ByteWriter out = new ByteWriter(48);
    out.varint(group.queue.number)
        .varint(group.number)
        .maybe(worker)
        .varint(leasedMs)
        .varint(lengthMs)
        .varint(untilMs)
        .flag(alone)
        .varint(told);
    out.varint(slices.size());
    for (Slice slice : slices) {
      out.varint(slice.subscription.partition.number);
      slice.items.write(out);
    }
    return out.done();
  }

  static Lease read(long id, byte[] row, ShardState state) {
    ByteReader in = new ByteReader(row);
    Queue queue = state.queue(in.count());
    Group group = queue == null ? null : queue.group(in.count());
    if (queue == null || group == null) {
      throw new IllegalStateException("lease " + id + " names a group that does not exist");
    }
    Lease lease = new Lease(id, group, in.maybe(), in.varint(), in.varint());
    lease.untilMs = in.varint();
    lease.alone = in.flag();
    lease.told = in.count();
    lease.stored = true;
    for (int left = in.count(); left > 0; left--) {
      Partition partition = state.partition(in.varint());
      Subscription subscription = partition == null ? null : partition.subscription(group);
      if (subscription == null) {
        throw new IllegalStateException("lease " + id + " names a partition that is not there");
      }
      Slice slice = new Slice(subscription, Items.read(in));
      lease.slices.add(slice);
      lease.open += slice.items.open();
    }
    return lease;
  }
}
