package io.holdfast.api.queue;

import java.util.List;

/** A partition as it is now. */
public record PartitionInfo(
    String queue, String name, long id, long lastPushMs, List<LaneInfo> lanes, Counts counts) {
  /** One lane: {@code waiting} is by the slowest group. */
  public record LaneInfo(int lane, long stored, long waiting, long bytes) {}

  public PartitionInfo {
    lanes = List.copyOf(lanes);
  }
}
