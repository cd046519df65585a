package io.holdfast.engine.logic;

import io.holdfast.api.group.StartFrom;
import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * The times that a group waits for before it takes what enters a partition: each partition keeps
 * the start under which it came.
 *
 * <p>Invariant: ascending by partition; a time that is over says as much as none, so there is no
 * entry unless one of the times was still to come at the last change.
 */
final class Starts {
  /** Holds for partitions from a number on, up to the next entry. */
  private record Since(long partition, long fromMs) {}

  private final List<Since> all = new ArrayList<>(0);

  /** Whether a group leaves out what enters a partition now. */
  boolean isEarly(Partition partition, long nowMs) {
    for (int i = all.size() - 1; i >= 0; i--) {
      if (all.get(i).partition <= partition.number) {
        return nowMs < all.get(i).fromMs;
      }
    }
    return false;
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** Whether there is no room for another time. */
  boolean isFull(long nowMs) {
    return all.stream().filter(since -> since.fromMs > nowMs).count() >= LogicLimits.STARTS_MAX;
  }

  /** From a partition on, another start holds; what is over is forgotten. */
  void change(long partition, StartFrom start, long nowMs) {
    List<Since> before = List.copyOf(all);
    all.clear();
    for (Since since : before) {
      if (since.partition < partition) {
        add(since, nowMs);
      }
    }
    add(new Since(partition, start instanceof StartFrom.Time time ? time.fromMs() : 0), nowMs);
  }

  private void add(Since since, long nowMs) {
    long fromMs = since.fromMs > nowMs ? since.fromMs : 0;
    long lastMs = all.isEmpty() ? 0 : all.getLast().fromMs;
    if (fromMs != lastMs) {
      all.add(new Since(since.partition, fromMs));
    }
  }

  void write(ByteWriter out) {
    out.varint(all.size());
    all.forEach(since -> out.varint(since.partition).varint(since.fromMs));
  }

  void read(ByteReader in) {
    for (int left = in.count(); left > 0; left--) {
      all.add(new Since(in.varint(), in.varint()));
    }
  }
}
