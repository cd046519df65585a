package io.holdfast.workflow.admin;

import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.Limits;
import io.holdfast.workflow.FlowStatus;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which flows to list: by status, then by name, then by id.
 *
 * @param statuses in which they are; empty for any
 * @param name what they are called; null for any
 * @param after the next of the page before; null for the first page
 * @param limit most of one page
 */
public record FlowQuery(
    Set<FlowStatus> statuses, @Nullable String name, @Nullable String after, int limit) {
  private static final int LIMIT = 100;

  public FlowQuery {
    statuses = Set.copyOf(statuses);
    if (limit < 1 || limit > Limits.PAGE_MAX) {
      throw new InvalidArgumentException(
          "limit: expected 1 to " + Limits.PAGE_MAX + ", but got " + limit);
    }
  }

  public static FlowQuery all() {
    return new FlowQuery(Set.of(), null, null, LIMIT);
  }

  public FlowQuery status(FlowStatus... any) {
    return status(Arrays.asList(any));
  }

  public FlowQuery status(Collection<FlowStatus> any) {
    return new FlowQuery(Set.copyOf(any), name, after, limit);
  }

  public FlowQuery name(@Nullable String called) {
    return new FlowQuery(statuses, called, after, limit);
  }

  public FlowQuery after(@Nullable String next) {
    return new FlowQuery(statuses, name, next, limit);
  }

  public FlowQuery limit(int most) {
    return new FlowQuery(statuses, name, after, most);
  }

  /** The statuses that are asked for, in their order. */
  Set<FlowStatus> asked() {
    return statuses.isEmpty() ? EnumSet.allOf(FlowStatus.class) : EnumSet.copyOf(statuses);
  }
}
