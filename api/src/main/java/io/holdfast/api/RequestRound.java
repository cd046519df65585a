package io.holdfast.api;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Marks threads that handle requests in rounds, as event loops do: they read what has come on all
 * connections, and then run tasks. A broker uses the tasks to handle all asynchronous requests of a
 * round together, on the same thread.
 */
public final class RequestRound {
  private static final ThreadLocal<@Nullable Executor> CURRENT = new ThreadLocal<>();

  private RequestRound() {}

  /**
   * Marks the calling thread.
   *
   * @param end runs tasks on this thread at the end of the round
   */
  public static void mark(Executor end) {
    CURRENT.set(end);
  }

  /** What runs tasks at the end of the round of the calling thread; null if it has no rounds. */
  public static @Nullable Executor end() {
    return CURRENT.get();
  }
}
