package io.holdfast.workflow.message;

import io.holdfast.workflow.Failure;
import io.holdfast.workflow.history.ExecutionId;
import io.holdfast.workflow.history.Parent;
import org.jspecify.annotations.Nullable;

/**
 * What is sent to a flow: each brings about a turn.
 *
 * <p>They are stored in the order of this file: new ones are added at the end, and so are further
 * fields.
 */
public sealed interface TurnMessage {
  /** A message for one execution; another one ignores it. */
  sealed interface ForExecution {
    long execution();

    String incarnation();

    default boolean isFor(ExecutionId id) {
      return execution() == id.number() && incarnation().equals(id.incarnation());
    }
  }

  /**
   * Begins a flow.
   *
   * @param version the version of its code; null for the newest that the worker knows
   */
  record Start(String name, @Nullable String version, byte[] input, @Nullable Parent parent)
      implements TurnMessage {}

  /** An execution stands ready to be run. */
  record Continue(long execution, String incarnation) implements TurnMessage, ForExecution {
    public Continue(ExecutionId id) {
      this(id.number(), id.incarnation());
    }
  }

  record Complete(long execution, long task, byte[] result, String incarnation)
      implements TurnMessage, ForExecution {
    public Complete(ExecutionId id, long task, byte[] result) {
      this(id.number(), task, result, id.incarnation());
    }
  }

  record Fail(long execution, long task, Failure failure, String incarnation)
      implements TurnMessage, ForExecution {
    public Fail(ExecutionId id, long task, Failure failure) {
      this(id.number(), task, failure, id.incarnation());
    }
  }

  record Fire(long execution, long task, String incarnation) implements TurnMessage, ForExecution {
    public Fire(ExecutionId id, long task) {
      this(id.number(), task, id.incarnation());
    }
  }

  /** An activity that no worker survived. */
  record Poison(long execution, long task, String activity, int attempts, String incarnation)
      implements TurnMessage, ForExecution {
    public Poison(ExecutionId id, long task, String activity, int attempts) {
      this(id.number(), task, activity, attempts, id.incarnation());
    }
  }

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
