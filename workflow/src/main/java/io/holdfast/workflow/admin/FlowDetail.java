package io.holdfast.workflow.admin;

import io.holdfast.workflow.FlowInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A flow with what it waits for.
 *
 * @param waits what it has under way, the oldest first; not all if there are many
 * @param waitsInAll how many there are
 * @param events how many its current history holds
 * @param oldestExecution the oldest one whose history is kept; 0 if it has had no turn yet
 * @param arriving what it was sent and no turn has settled yet; null if there is nothing
 * @param unreadable why its history cannot be read; null if it can
 */
public record FlowDetail(
    FlowInfo info,
    List<Waiting> waits,
    int waitsInAll,
    long events,
    long oldestExecution,
    @Nullable Arriving arriving,
    @Nullable String unreadable) {
  public FlowDetail {
    waits = List.copyOf(waits);
  }
}
