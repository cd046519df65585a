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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A few threads that read stored rows, so that lists do not hold up the shard and calls into native
 * code do not hold carrier threads.
 */
final class Readers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Readers.class);
  private static final int THREADS = 2;
  private static final int WAITING_MAX = 1_024;
  private static final int CLOSE_SECONDS = 30;

  private final Store store;
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          1,
          TimeUnit.MINUTES,
          new ArrayBlockingQueue<>(WAITING_MAX),
          task -> Thread.ofPlatform().name("holdfast-read").daemon().unstarted(task));

  Readers(Store store) {
    this.store = store;
    threads.allowCoreThreadTimeOut(true);
  }

  /** Answers a question from the rows that are stored now. */
  <T> Result<T> read(Function<Snapshot, Result<T>> question) {
    Pending<Result<T>> answer = new Pending<>();
    try {
      threads.execute(() -> answer.complete(ask(question)));
    } catch (RejectedExecutionException full) {
      return threads.isShutdown()
          ? Result.refused(ErrorCode.CLOSED, "the broker is closed")
          : Result.refused(ErrorCode.OVERLOADED, "too many reads wait; try again shortly");
    }
    return answer.await();
  }

  /** Does something in the background that nobody waits for; false if there is no room. */
  boolean later(Runnable task) {
    try {
      threads.execute(task);
      return true;
    } catch (RejectedExecutionException full) {
      return false;
    }
  }

  private <T> Result<T> ask(Function<Snapshot, Result<T>> question) {
    try (Snapshot snapshot = store.snapshot()) {
      return question.apply(snapshot);
    } catch (Throwable error) {
      LOG.error("Stored rows could not be read. The broker goes on.", error);
      return Result.refused(
          ErrorCode.READ_FAILED, "stored rows could not be read: " + error.getMessage());
    }
  }

  /** Whether {@link #close} waits: long work should end. */
  boolean isClosing() {
    return threads.isShutdown();
  }

  /** Waits for the reads under way: the store may be closed only after them. */
  @Override
  public void close() {
    threads.shutdown();
    boolean interrupted = false;
    while (!threads.isTerminated()) {
      try {
        boolean over = threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        if (!over) {
          LOG.warn("The broker waits for reads to end before it lets go of the data.");
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
