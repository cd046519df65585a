package io.holdfast.workflow.admin;

import io.holdfast.api.InvalidArgumentException;
import io.holdfast.workflow.FlowStatus;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which of the flows that have ended to delete. Those on which another one waited go with it.
 *
 * @param statuses in which they are; empty for any in which a flow has ended
 * @param name what they are called; null for any
 * @param endedBeforeMs when they ended at the latest; 0 for any time
 * @param limit most flows that are deleted, children aside
 */
public record PurgeFilter(
    Set<FlowStatus> statuses, @Nullable String name, long endedBeforeMs, int limit) {
  /** Most flows that one purge may delete. */
  public static final int LIMIT_MAX = 10_000;

  private static final int LIMIT = 1_000;

  public PurgeFilter {
    statuses = Set.copyOf(statuses);
    for (FlowStatus status : statuses) {
      if (!status.isEnded()) {
        throw new InvalidArgumentException(
            "statuses: expected statuses in which a flow has ended, but got " + status);
      }
    }
    if (limit < 1 || limit > LIMIT_MAX) {
      throw new InvalidArgumentException(
          "limit: expected 1 to " + LIMIT_MAX + ", but got " + limit);
    }
  }

  /** All that have ended. */
  public static PurgeFilter ended() {
    return new PurgeFilter(Set.of(), null, 0, LIMIT);
  }

  public PurgeFilter status(FlowStatus... any) {
    return new PurgeFilter(Set.copyOf(Arrays.asList(any)), name, endedBeforeMs, limit);
  }

  public PurgeFilter name(@Nullable String called) {
    return new PurgeFilter(statuses, called, endedBeforeMs, limit);
  }

  public PurgeFilter endedBefore(long ms) {
    return new PurgeFilter(statuses, name, ms, limit);
  }

  public PurgeFilter limit(int most) {
    return new PurgeFilter(statuses, name, endedBeforeMs, most);
  }

  Set<FlowStatus> asked() {
    return statuses.isEmpty()
        ? EnumSet.allOf(FlowStatus.class).stream()
            .filter(FlowStatus::isEnded)
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(FlowStatus.class)))
        : EnumSet.copyOf(statuses);
  }
}
