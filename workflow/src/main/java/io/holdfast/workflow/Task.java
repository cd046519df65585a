package io.holdfast.workflow;

import java.time.Duration;
import java.util.function.Function;

/**
 * Something that a flow has under way, and can wait for.
 *
 * <p>Thread: the flow's own.
 *
 * @param <T> what it brings
 */
public interface Task<T> {
  /**
   * Waits for the result, for as long as it takes: the flow costs nothing meanwhile.
   *
   * @throws TaskFailed if it failed or was cancelled
   * @throws FlowCancelled if the flow was cancelled; once
   */
  T await();

  /** Whether it ended, in whatever way. */
  boolean isDone();

  /**
   * Gives up after a time: then it fails with {@link Failure#TIMEOUT}, and this task is cancelled.
   *
   * <p>A task that fails in time fails this one as well.
   */
  Task<T> within(Duration time);

  /** Brings something else if it failed with {@link Failure#TIMEOUT}; see {@link #within}. */
  Task<T> orElse(T other);

  /** What comes of the result; computed again on every replay, so it must not do anything. */
  <R> Task<R> map(Function<? super T, ? extends R> mapping);

  /** Asks no more for the result: its activity is taken back, its timer stopped. */
  void cancel();
}
