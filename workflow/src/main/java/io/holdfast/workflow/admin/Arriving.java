package io.holdfast.workflow.admin;

/**
 * What is on its way to a flow: what it was told, and results and timers that are due.
 *
 * @param messages how many there are, but {@link #COUNT_MAX} at most
 * @param sinceMs when the oldest of them was sent
 * @param taken whether a worker has a turn of the flow just now; if none has for long, none that is
 *     free serves flows of this prefix
 */
public record Arriving(int messages, long sinceMs, boolean taken) {
  /** More are not counted. */
  public static final int COUNT_MAX = 100;
}
