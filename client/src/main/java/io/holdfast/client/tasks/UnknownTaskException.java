package io.holdfast.client.tasks;

import java.util.UUID;

/** There is no such task, or it is not where it was looked for. */
public final class UnknownTaskException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final UUID taskId;

  UnknownTaskException(UUID taskId, String message) {
    super(message);
    this.taskId = taskId;
  }

  static UnknownTaskException anywhere(UUID taskId) {
    return new UnknownTaskException(
        taskId,
        "task "
            + taskId
            + " not found: expected one that was published and is still kept (keepStates after its"
            + " end); check the id and the namespace");
  }

  static UnknownTaskException notDead(UUID taskId) {
    return new UnknownTaskException(
        taskId,
        "task "
            + taskId
            + " not found in the DLQ: expected a dead task; deadLetters() lists them, and"
            + " taskStatus tells where this one is");
  }

  public UUID taskId() {
    return taskId;
  }
}
