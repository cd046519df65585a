package io.holdfast.engine.logic;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A bounded stretch of the partitions of a queue, by name: what one step of a bulk command visits.
 *
 * @param next the partition with which the next step begins; null if there is none left
 */
record Stretch(List<Partition> partitions, @Nullable String next) {
  /** One partition alone, or those from a name on, or with neither all from the first. */
  static Stretch of(Queue queue, @Nullable String only, @Nullable String from) {
    if (only != null) {
      Partition partition = queue.partitions.get(only);
      return new Stretch(partition == null ? List.of() : List.of(partition), null);
    }
    List<Partition> partitions = new ArrayList<>();
    for (Partition partition : queue.partitions.tailMap(from == null ? "" : from).values()) {
      if (partitions.size() == LogicLimits.STRETCH_MAX) {
        return new Stretch(partitions, partition.name);
      }
      partitions.add(partition);
    }
    return new Stretch(partitions, null);
  }
}
