package io.holdfast.engine.logic;

import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A lease as its row has it: what it names is told by number, and may or may not be there. */
record LeaseRow(
    int queue,
    int group,
    @Nullable String worker,
    long leasedMs,
    long lengthMs,
    long untilMs,
    boolean alone,
    int told,
    List<Part> parts) {
  /** The messages of one partition. */
  record Part(long partition, Items items) {}

  static byte[] bytes(Lease lease) {
    ByteWriter out = new ByteWriter(48);
    out.varint(lease.group.queue.number)
        .varint(lease.group.number)
        .maybe(lease.worker)
        .varint(lease.leasedMs)
        .varint(lease.lengthMs)
        .varint(lease.untilMs)
        .flag(lease.alone)
        .varint(lease.told);
    writeParts(out, lease.slices);
    return out.done();
  }

  static LeaseRow read(byte[] row) {
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
        readParts(in));
  }

  static void writeParts(ByteWriter out, List<Slice> slices) {
    out.varint(slices.size());
    for (Slice slice : slices) {
      out.varint(slice.subscription.partition.number);
      slice.items.write(out);
    }
  }

  static List<Part> readParts(ByteReader in) {
    List<Part> parts = new ArrayList<>(1);
    for (int left = in.count(); left > 0; left--) {
      parts.add(new Part(in.varint(), Items.read(in)));
    }
    return parts;
  }
}
