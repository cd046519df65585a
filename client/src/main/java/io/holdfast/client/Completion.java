package io.holdfast.client;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What follows when a future is completed.
 *
 * <p>Thread: any.
 */
public final class Completion {
  private Completion() {}

  /**
   * Runs an action with the result of a future, or else with its failure. The action handles all
   * failures itself; so the future that depends on it is of no use.
   */
  @SuppressWarnings("FutureReturnValueIgnored")
  public static <T extends @Nullable Object> void then(
      CompletableFuture<T> future,
      BiConsumer<? super @Nullable T, ? super @Nullable Throwable> action) {
    future.whenComplete(action);
  }
}
