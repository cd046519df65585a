package io.holdfast.workflow;

/** Thrown by the await of a task that failed: an activity, a step or another flow. */
public final class TaskFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Failure failure;
  private final long task;

  /**
   * A failed task.
   *
   * @param task the number of the task in the history of its flow
   */
  public TaskFailed(Failure failure, long task) {
    super(failure.toString());
    this.failure = failure;
    this.task = task;
  }

  public Failure failure() {
    return failure;
  }

  /** The number of the task in the history of its flow. */
  public long task() {
    return task;
  }

  /** Whether the task failed with such an exception, or with such a word. */
  public boolean is(String type) {
    return failure.type().equals(type);
  }

  public boolean is(Class<? extends Throwable> type) {
    return is(type.getName());
  }
}
