package io.holdfast.workflow.store;

import io.holdfast.api.wire.Form;
import io.holdfast.workflow.BlockCause;
import io.holdfast.workflow.Failure;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.history.ExecutionId;
import io.holdfast.workflow.history.Parent;
import org.jspecify.annotations.Nullable;

/**
 * A flow as its record has it: what one needs to know of it without its history.
 *
 * @param digest of the input it was started with, to tell a repeat from another start
 * @param execution the current one; 0 as long as no turn has been
 * @param label what the flow says of where it stands
 * @param labelVersion how often that changed
 * @param reason why it is blocked, suspended, cancelled or terminated
 * @param sinceMs when it came into its status
 * @param inbox how many messages are kept for it until it goes on
 * @param oldest the oldest execution whose history is kept
 * @param cause why it is blocked; null if it is not
 * @param incarnation see {@link ExecutionId}; empty before the first turn
 */
public record FlowRecord(
    String name,
    @Nullable String version,
    byte[] digest,
    FlowStatus status,
    long execution,
    long createdMs,
    long sinceMs,
    @Nullable Parent parent,
    byte @Nullable [] output,
    @Nullable Failure failure,
    @Nullable String label,
    long labelVersion,
    @Nullable String reason,
    long inbox,
    long oldest,
    String incarnation,
    @Nullable BlockCause cause) {
  public static final Form<FlowRecord> FORM = Form.of(FlowRecord.class);

  /** A flow that was asked for. */
  public static FlowRecord pending(
      String name, @Nullable String version, byte[] digest, @Nullable Parent parent, long nowMs) {
    return new FlowRecord(
        name,
        version,
        digest,
        FlowStatus.PENDING,
        0,
        nowMs,
        nowMs,
        parent,
        null,
        null,
        null,
        0,
        null,
        0,
        1,
        "",
        null);
  }

  /** The name of the current execution. */
  public ExecutionId executionId(String id) {
    return new ExecutionId(id, incarnation, execution);
  }

  public boolean isEnded() {
    return status.isEnded();
  }

  /** Whether no turn of it has been yet: there is no history. */
  public boolean isNew() {
    return execution == 0;
  }

  /** The flow in another status, for a reason if there is one. */
  public FlowRecord status(FlowStatus now, @Nullable String why, long nowMs) {
    return status(now, why, null, nowMs);
  }

  /** The flow as it cannot go on. */
  public FlowRecord blocked(BlockCause how, String why, long nowMs) {
    return status(FlowStatus.BLOCKED, why, how, nowMs);
  }

  private FlowRecord status(
      FlowStatus now, @Nullable String why, @Nullable BlockCause how, long nowMs) {
    return new FlowRecord(
        name,
        version,
        digest,
        now,
        execution,
        createdMs,
        nowMs,
        parent,
        output,
        failure,
        label,
        labelVersion,
        why,
        inbox,
        oldest,
        incarnation,
        how);
  }

  /** The flow with its result or its failure. */
  public FlowRecord ended(
      FlowStatus how, byte @Nullable [] result, @Nullable Failure why, long nowMs) {
    return new FlowRecord(
        name,
        version,
        digest,
        how,
        execution,
        createdMs,
        nowMs,
        parent,
        result,
        why,
        label,
        labelVersion,
        why == null ? null : why.message(),
        inbox,
        oldest,
        incarnation,
        null);
  }

  /** The flow in another execution, perhaps of another version. */
  public FlowRecord execution(long number, String itsVersion, long oldestKept) {
    return new FlowRecord(
        name,
        itsVersion,
        digest,
        status,
        number,
        createdMs,
        sinceMs,
        parent,
        output,
        failure,
        label,
        labelVersion,
        reason,
        inbox,
        oldestKept,
        incarnation,
        cause);
  }

  public FlowRecord label(@Nullable String text) {
    return new FlowRecord(
        name,
        version,
        digest,
        status,
        execution,
        createdMs,
        sinceMs,
        parent,
        output,
        failure,
        text,
        labelVersion + 1,
        reason,
        inbox,
        oldest,
        incarnation,
        cause);
  }

  /** The flow with so many messages kept for it. */
  public FlowRecord inbox(long count) {
    return new FlowRecord(
        name,
        version,
        digest,
        status,
        execution,
        createdMs,
        sinceMs,
        parent,
        output,
        failure,
        label,
        labelVersion,
        reason,
        count,
        oldest,
        incarnation,
        cause);
  }

  /** The flow as the incarnation that a message started. */
  public FlowRecord incarnation(String started) {
    return new FlowRecord(
        name,
        version,
        digest,
        status,
        execution,
        createdMs,
        sinceMs,
        parent,
        output,
        failure,
        label,
        labelVersion,
        reason,
        inbox,
        oldest,
        started,
        cause);
  }
}
