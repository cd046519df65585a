package io.holdfast.engine;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.engine.store.Snapshot;
import io.holdfast.engine.store.Store;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A few platform threads that call the store for one kind of work, so that it does not hold up the
 * shard, and calls into native code do not hold carrier threads. They end when they are idle.
 */
final class StoreThreads implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StoreThreads.class);
  private static final int CLOSE_SECONDS = 30;

  private final Store store;
  private final String name;
  private final ThreadPoolExecutor threads;

  /**
   * Makes the threads of one kind of work.
   *
   * @param name the name of the threads
   * @param waitingMax the most tasks that wait for a thread
   */
  StoreThreads(Store store, String name, int threads, int waitingMax) {
    this.store = store;
    this.name = name;
    this.threads =
        new ThreadPoolExecutor(
            threads,
            threads,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(waitingMax),
            task -> Thread.ofPlatform().name(name).daemon().unstarted(task));
    this.threads.allowCoreThreadTimeOut(true);
  }

  /** Answers a question from the rows that are stored now. */
  <T> Result<T> read(Function<Snapshot, Result<T>> question) {
    return call(() -> answer(question));
  }

  /** The same, without waiting: the answer is given on the thread that reads. */
  <T> void read(Function<Snapshot, Result<T>> question, Pending<Result<T>> answer) {
    call(() -> answer(question), answer);
  }

  private <T> Result<T> answer(Function<Snapshot, Result<T>> question) {
    try (Snapshot snapshot = store.snapshot()) {
      return question.apply(snapshot);
    }
  }

  /** Runs a task on one of the threads, and waits for its result. */
  <T> Result<T> call(Supplier<Result<T>> task) {
    Pending<Result<T>> answer = new Pending<>();
    call(task, answer);
    return answer.await();
  }

  private <T> void call(Supplier<Result<T>> task, Pending<Result<T>> answer) {
    if (!later(() -> answer.complete(run(task)))) {
      answer.complete(
          isClosing()
              ? Result.refused(ErrorCode.CLOSED, "the broker is closed")
              : Result.refused(
                  ErrorCode.OVERLOADED, "too many calls wait for the store; try again shortly"));
    }
  }

  /** Runs a task that nobody waits for; false if too many wait already. */
  boolean later(Runnable task) {
    try {
      threads.execute(task);
      return true;
    } catch (RejectedExecutionException full) {
      return false;
    }
  }

  private static <T> Result<T> run(Supplier<Result<T>> task) {
    try {
      return task.get();
    } catch (Throwable error) {
      LOG.error("Reading stored rows failed; the broker keeps running.", error);
      return Result.refused(
          ErrorCode.READ_FAILED, "stored rows could not be read: " + error.getMessage());
    }
  }

  /** Whether {@link #close} waits: long work should end. */
  boolean isClosing() {
    return threads.isShutdown();
  }

  /** Waits for the tasks under way: the store may be closed only after them. */
  @Override
  public void close() {
    threads.shutdown();
    boolean interrupted = false;
    while (!threads.isTerminated()) {
      try {
        boolean over = threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        if (!over) {
          LOG.warn("Closing the broker waits for threads {} to end.", name);
        }
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
