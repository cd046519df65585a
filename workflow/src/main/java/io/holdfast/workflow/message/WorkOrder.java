package io.holdfast.workflow.message;

import io.holdfast.workflow.Retry;
import io.holdfast.workflow.history.ExecutionId;

/** What is sent to the workers: one call of an activity. */
public record WorkOrder(
    String flow,
    long execution,
    long task,
    String activity,
    byte[] input,
    Retry retry,
    String incarnation) {
  public WorkOrder(ExecutionId id, long task, String activity, byte[] input, Retry retry) {
    this(id.flow(), id.number(), task, activity, input, retry, id.incarnation());
  }

  /** The execution that asks for the work. */
  public ExecutionId executionId() {
    return new ExecutionId(flow, incarnation, execution);
  }

  /** The same for every attempt of this call, and of no other call. */
  public String key() {
    return executionId() + "/" + task;
  }
}
