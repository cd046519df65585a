package io.holdfast.workflow.history;

import io.holdfast.workflow.Failure;
import io.holdfast.workflow.Retry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thing that happened in an execution of a flow.
 *
 * <p>Its number is its place in the journal, from 0; a task goes by the number of the event that
 * began it. An {@link Input} came to the flow, an {@link Output} was done by its code, a {@link
 * Note} is neither and is not replayed.
 *
 * <p>They are stored in the order of this file: new ones are added at the end, and so are further
 * fields.
 */
public sealed interface Event {
  /** What came to the flow from outside. */
  interface Input {}

  /** What the code of the flow did. */
  interface Output {}

  /** What was done to the flow by an operator, or by a worker that cannot continue it. */
  interface Note {}

  /** The end of an execution, brought about by its code or by an operator. */
  interface End {}

  /** When it happened, in epoch milliseconds. */
  long timeMs();

  /**
   * The first event of every execution.
   *
   * @param seen the last events that former executions received, so that repeats are known
   */
  record Started(
      long timeMs,
      String name,
      String version,
      byte[] input,
      @Nullable Parent parent,
      List<String> seen)
      implements Event, Input {}

  /** An activity or another flow answered. */
  record Completed(long timeMs, long task, byte[] result) implements Event, Input {}

  /** An activity or another flow failed. */
  record Failed(long timeMs, long task, Failure failure) implements Event, Input {}

  record Fired(long timeMs, long task) implements Event, Input {}

  /**
   * Somebody raised an event.
   *
   * @param id tells repeats of the same event
   */
  record Received(long timeMs, String id, String name, byte[] data) implements Event, Input {}

  record CancelRequested(long timeMs, String reason) implements Event, Input {}

  record CallScheduled(long timeMs, String activity, String tag, byte[] input, Retry retry)
      implements Event, Output {}

  /** A step that was done here; either it has a result, or it failed. */
  record StepDone(long timeMs, String step, byte @Nullable [] result, @Nullable Failure failure)
      implements Event, Output {}

  record TimerSet(long timeMs, long forMs) implements Event, Output {}

  record EventAwaited(long timeMs, String name) implements Event, Output {}

  record SubStarted(long timeMs, String name, String version, String flow, byte[] input)
      implements Event, Output {}

  record Launched(long timeMs, String name, String version, String flow, byte[] input)
      implements Event, Output {}

  /**
   * A task that nobody waits for any more.
   *
   * @param what the kind of the task
   * @param where the tag of its activity, or the id of its flow
   */
  record TaskCancelled(long timeMs, long task, TaskKind what, String where)
      implements Event, Output {}

  record StatusSet(long timeMs, @Nullable String status) implements Event, Output {}

  record Patched(long timeMs, String change) implements Event, Output {}

  record FlowCompleted(long timeMs, byte[] output) implements Event, Output, End {}

  /**
   * The code threw.
   *
   * @param task the task whose failure it was; -1 if it was none
   */
  record FlowFailed(long timeMs, Failure failure, long task) implements Event, Output, End {}

  record FlowCancelled(long timeMs, String reason) implements Event, Output, End {}

  /**
   * The execution ended, and another one follows.
   *
   * @param newest whether that is to be in the newest version of the code
   */
  record ContinuedAsNew(long timeMs, byte[] input, boolean newest) implements Event, Output, End {}

  record Terminated(long timeMs, String reason) implements Event, Note, End {}

  record Suspended(long timeMs, String reason) implements Event, Note {}

  record Resumed(long timeMs) implements Event, Note {}

  /** What happened from an event on is void, and the flow goes on from there. */
  record Rewound(long timeMs, long to) implements Event, Note {}

  /** The flow could not continue. The memory of other workers is stale from here on. */
  record Blocked(long timeMs, String reason) implements Event, Note {}
}
