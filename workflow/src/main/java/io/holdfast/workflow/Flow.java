package io.holdfast.workflow;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A running flow, as its code sees it.
 *
 * <p>The code may be run again from its beginning at any time, on what was recorded: so all that it
 * does to the world, and all that it learns from it, goes through here.
 *
 * <p>Thread: the flow's own; others are refused.
 */
public interface Flow {
  /** The id under which it was started. */
  String id();

  /** Which execution this is, from 1: each {@link #continueAsNew} begins another one. */
  long execution();

  /** Has an activity done by a worker, once. */
  default <I, O> Task<O> call(Activity<I, O> activity, I input) {
    return call(activity, input, Retry.NONE);
  }

  <I, O> Task<O> call(Activity<I, O> activity, I input, Retry retry);

  /**
   * Does a step here and now, and remembers its result.
   *
   * <p>It is done again only if the worker dies before the result was stored.
   *
   * @throws TaskFailed if it threw
   */
  <T> T run(String step, Class<T> type, Callable<T> code);

  <T> T run(String step, TypeRef<T> type, Callable<T> code);

  /** A step without a result. */
  void run(String step, Step code);

  /** A step that may throw. */
  @FunctionalInterface
  interface Step {
    void run() throws Exception;
  }

  /** Runs another flow, of an id made from this one's, and waits for it when awaited. */
  <I, O> Task<O> sub(Orchestration<I, O> flow, I input);

  <I, O> Task<O> sub(Orchestration<I, O> flow, String id, I input);

  /** Starts another flow, and leaves it to itself. One of that id that runs already stays. */
  <I, O> void start(Orchestration<I, O> flow, String id, I input);

  /** A durable timer. It never fires early. */
  Task<Void> timer(Duration time);

  default void sleep(Duration time) {
    timer(time).await();
  }

  /**
   * The next event of a name that somebody raised: those that came before are kept, in order, also
   * from before the start.
   */
  <T> Task<T> event(String name, Class<T> type);

  <T> Task<T> event(String name, TypeRef<T> type);

  /** All results, in the order of the tasks; fails as soon as one of them does. */
  <T> Task<List<T>> all(List<? extends Task<? extends T>> tasks);

  /** The first task that ends, in whatever way. The others go on. */
  <T> Task<Task<T>> any(List<? extends Task<? extends T>> tasks);

  /** Tells clients where the flow stands; null for nothing. */
  void status(@Nullable String status);

  /** The time of the flow: the same on every replay. */
  Instant now();

  /** A new id: the same on every replay. */
  UUID uuid();

  /** Chance: the same on every replay. */
  RandomGenerator random();

  /**
   * Whether code that was changed may take its new way: not in flows that went the old one.
   *
   * @param change a name for the change, used nowhere else in this flow
   */
  boolean patched(String change);

  /**
   * Ends this execution, and begins another one with a short history. Return what it answers.
   *
   * <p>Events that nobody has waited for go along. Nothing more may be asked of this flow. The
   * answer is null, so a method that returns it must not return an {@code int} or the like.
   */
  @SuppressWarnings("TypeParameterUnusedInFormals")
  <I, O> O continueAsNew(I input);

  /** The same, in the newest version of the code that the worker knows. */
  @SuppressWarnings("TypeParameterUnusedInFormals")
  <I, O> O continueAsNewest(I input);

  /** Whether the flow has been told that it was cancelled. */
  boolean isCancelled();

  /** Whether it goes through what happened before. */
  boolean isReplaying();

  /** How many events its history holds so far. */
  long historySize();

  /** Logs what is new, and nothing on a replay. */
  Logger log();
}
