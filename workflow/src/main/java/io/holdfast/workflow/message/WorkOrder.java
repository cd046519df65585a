package io.holdfast.workflow.message;

import io.holdfast.workflow.Retry;

/** What is sent to the workers: one call of an activity. */
public record WorkOrder(
    String flow, long execution, long task, String activity, byte[] input, Retry retry) {
  /** The same for every attempt of this call. */
  public String key() {
    return flow + "/" + execution + "/" + task;
  }
}
