package io.holdfast.workflow.message;

import io.holdfast.workflow.Failure;
import io.holdfast.workflow.history.Parent;
import org.jspecify.annotations.Nullable;

/**
 * What is sent to a flow: each brings about a turn.
 *
 * <p>They are stored in the order of this file: new ones are added at the end, and so are further
 * fields.
 */
public sealed interface TurnMessage {
  /**
   * Begins a flow.
   *
   * @param version the version of its code; null for the newest that the worker knows
   */
  record Start(String name, @Nullable String version, byte[] input, @Nullable Parent parent)
      implements TurnMessage {}

  /** An execution stands ready to be run. */
  record Continue(long execution) implements TurnMessage {}

  record Complete(long execution, long task, byte[] result) implements TurnMessage {}

  record Fail(long execution, long task, Failure failure) implements TurnMessage {}

  record Fire(long execution, long task) implements TurnMessage {}

  /** An activity that no worker survived. */
  record Poison(long execution, long task, String activity, int attempts) implements TurnMessage {}

  /**
   * An event.
   *
   * @param id tells repeats of the same event
   */
  record Raise(String id, String name, byte[] data) implements TurnMessage {}

  record Cancel(String reason) implements TurnMessage {}

  record Terminate(String reason) implements TurnMessage {}

  record Suspend(String reason) implements TurnMessage {}

  record Resume() implements TurnMessage {}

  /**
   * Lets a blocked or failed flow go on.
   *
   * @param from the event from which a failed one is done again; -1 for its failure
   */
  record Retry(long from) implements TurnMessage {}
}
