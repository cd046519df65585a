package io.holdfast.workflow.history;

/**
 * Names one execution of a flow. A flow that is deleted and started again under the same id is
 * another incarnation, so that nothing of the first one can be taken for the second.
 *
 * @param flow the id of the flow
 * @param incarnation made from the message that started the flow; empty before the first turn
 * @param number from 1; {@code continueAsNew} begins the next one
 */
public record ExecutionId(String flow, String incarnation, long number) {
  /** Another execution of the same incarnation. */
  public ExecutionId withNumber(long other) {
    return new ExecutionId(flow, incarnation, other);
  }

  /** Part of idempotency keys and of the seeds of a flow: it must not change. */
  @Override
  public String toString() {
    return flow + "/" + incarnation + "/" + number;
  }
}
