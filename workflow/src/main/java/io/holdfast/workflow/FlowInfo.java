package io.holdfast.workflow;

import io.holdfast.workflow.history.Parent;
import io.holdfast.workflow.store.FlowRecord;
import org.jspecify.annotations.Nullable;

/**
 * A flow as it is now, seen from outside.
 *
 * @param version the version of its code; null before its first turn if none was asked for
 * @param execution the current one, from 1; 0 before its first turn
 * @param createdMs when it was started
 * @param sinceMs when it came into its status
 * @param label what the flow says of where it stands
 * @param labelVersion how often that changed
 * @param reason why it is blocked, suspended, failed, cancelled or terminated
 * @param output what it answered, as bytes
 * @param kept how many messages are kept for it until it goes on
 */
public record FlowInfo(
    String id,
    String name,
    @Nullable String version,
    FlowStatus status,
    long execution,
    long createdMs,
    long sinceMs,
    @Nullable Parent parent,
    @Nullable String label,
    long labelVersion,
    @Nullable String reason,
    @Nullable Failure failure,
    byte @Nullable [] output,
    long kept) {
  /** A flow as its record has it. */
  public static FlowInfo of(String id, FlowRecord flow) {
    return new FlowInfo(
        id,
        flow.name(),
        flow.version(),
        flow.status(),
        flow.execution(),
        flow.createdMs(),
        flow.sinceMs(),
        flow.parent(),
        flow.label(),
        flow.labelVersion(),
        flow.reason(),
        flow.failure(),
        flow.output(),
        flow.inbox());
  }
}
