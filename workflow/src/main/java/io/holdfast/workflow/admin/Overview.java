package io.holdfast.workflow.admin;

import io.holdfast.api.queue.Counts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All flows at a glance: how many there are, and what waits in their queues. */
public record Overview(FlowCounts flows, List<Depth> queues) {
  /**
   * What lies in a queue of the flows.
   *
   * @param tag of the activities in it; null for the queue of turns
   */
  public record Depth(String queue, @Nullable String tag, Counts counts) {}

  public Overview {
    queues = List.copyOf(queues);
  }
}
