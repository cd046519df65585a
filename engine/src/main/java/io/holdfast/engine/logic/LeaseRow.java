package io.holdfast.engine.logic;

import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A lease as its row has it: what it names is told by number, and may or may not be there. */
public record LeaseRow(
    int queue,
    int group,
    @Nullable String worker,
    long leasedMs,
    long lengthMs,
    long untilMs,
    boolean alone,
    int told,
    @Nullable String attemptId,
    List<Part> parts) {
  /** The messages of one partition. */
  public record Part(long partition, Items items) {}

  static LeaseRow of(Lease lease) {
    return new LeaseRow(
        lease.group.queue.number,
        lease.group.number,
        lease.worker,
        lease.leasedMs,
        lease.lengthMs,
        lease.untilMs,
        lease.alone,
        lease.told,
        lease.attemptId,
        parts(lease));
  }

  static List<Part> parts(Lease lease) {
    List<Part> parts = new ArrayList<>(lease.slices.size());
    for (Slice slice : lease.slices) {
      parts.add(new Part(slice.subscription.partition.number, slice.items));
    }
    return parts;
  }

  /** The same lease at another time. */
  LeaseRow during(long fromMs, long toMs) {
    return new LeaseRow(
        queue, group, worker, fromMs, lengthMs, toMs, alone, told, attemptId, parts);
  }

  byte[] bytes() {
    ByteWriter out = new ByteWriter(48);
    out.varint(queue)
        .varint(group)
        .maybe(worker)
        .varint(leasedMs)
        .varint(lengthMs)
        .varint(untilMs)
        .flag(alone)
        .varint(told)
        .maybe(attemptId);
    writeParts(out, parts);
    return out.done();
  }

  public static LeaseRow read(byte[] row) {
    ByteReader in = new ByteReader(row);
    return new LeaseRow(
        in.count(),
        in.count(),
        in.maybe(),
        in.varint(),
        in.varint(),
        in.varint(),
        in.flag(),
        in.count(),
        in.maybe(),
        readParts(in));
  }

  static void writeParts(ByteWriter out, List<Part> parts) {
    out.varint(parts.size());
    for (Part part : parts) {
      out.varint(part.partition);
      part.items.write(out);
    }
  }

  public static List<Part> readParts(ByteReader in) {
    List<Part> parts = new ArrayList<>(1);
    for (int left = in.count(); left > 0; left--) {
      parts.add(new Part(in.varint(), Items.read(in)));
    }
    return parts;
  }
}
