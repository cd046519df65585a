package io.holdfast.workflow.admin;

import io.holdfast.workflow.FlowStatus;
import java.util.Map;

/**
 * How many flows are in which status.
 *
 * @param byStatus every status, with 0 if there is none
 * @param exact false if there are more in some status than were counted
 */
public record FlowCounts(Map<FlowStatus, Long> byStatus, boolean exact) {
  public FlowCounts {
    byStatus = Map.copyOf(byStatus);
  }

  public long of(FlowStatus status) {
    return byStatus.getOrDefault(status, 0L);
  }

  public long total() {
    return byStatus.values().stream().mapToLong(n -> n).sum();
  }
}
