package io.holdfast.workflow.history;

/**
 * Who waits for a flow: another flow, in one of its executions, with one of its tasks.
 *
 * @param task the number of the task in the history of that execution
 */
public record Parent(String flow, long execution, long task) {}
