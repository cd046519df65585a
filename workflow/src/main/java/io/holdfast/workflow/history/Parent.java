package io.holdfast.workflow.history;

/**
 * Who waits for a flow: another flow, in one of its executions, with one of its tasks.
 *
 * @param task the number of the task in the history of that execution
 * @param incarnation the incarnation of the flow that waits
 */
public record Parent(String flow, long execution, long task, String incarnation) {
  public Parent(ExecutionId execution, long task) {
    this(execution.flow(), execution.number(), task, execution.incarnation());
  }
}
