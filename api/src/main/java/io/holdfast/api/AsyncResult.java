package io.holdfast.api;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The result of a request that a broker may not have answered yet.
 *
 * <p>Actions that depend on it and name no executor run on a thread of the broker: they must be
 * short and must not block. Use the {@code ...Async} methods of {@link CompletableFuture} for
 * anything else.
 *
 * <p>A result that is cancelled or times out does not undo the request, with one exception: a pop
 * gives back what it takes after that.
 *
 * <p>Thread: any.
 *
 * @param <T> the value of an accepted request
 */
public class AsyncResult<T> extends CompletableFuture<Result<T>> {
  /** A result that is there already. */
  public static <T> AsyncResult<T> of(Result<T> result) {
    AsyncResult<T> done = new AsyncResult<>();
    done.complete(result);
    return done;
  }

  /** Runs a blocking call on a thread of its own. {@link #stopWaiting} interrupts it. */
  static <T> AsyncResult<T> onThread(Supplier<Result<T>> call) {
    return onThread(call, late -> {});
  }

  /**
   * The same.
   *
   * @param unused handles a result that nobody wants any more
   */
  static <T> AsyncResult<T> onThread(Supplier<Result<T>> call, Consumer<Result<T>> unused) {
    OnThread<T> result = new OnThread<>(call, unused);
    result.thread.start();
    return result;
  }

  /**
   * Ends the wait of a request that waits for something to happen, such as a pop: it is answered
   * soon, with what it has. Other requests are not affected.
   */
  public void stopWaiting() {}

  /** Gives the result. If it was cancelled or timed out before, the result is {@link #unused}. */
  public final void answer(Result<T> result) {
    if (!complete(result)) {
      unused(result);
    }
  }

  /** Handles a result that came after nobody wants it any more. */
  protected void unused(Result<T> late) {}

  /** Cancels it, and ends the wait of the request if it waits. */
  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean cancelled = super.cancel(mayInterruptIfRunning);
    stopWaiting();
    return cancelled;
  }

  private static final class OnThread<T> extends AsyncResult<T> {
    private final Thread thread;
    private final Consumer<Result<T>> unused;

    OnThread(Supplier<Result<T>> call, Consumer<Result<T>> unused) {
      this.unused = unused;
      thread = new Thread(() -> run(call), "holdfast-call");
      thread.setDaemon(true);
    }

    private void run(Supplier<Result<T>> call) {
      try {
        answer(call.get());
      } catch (RuntimeException | Error failed) {
        completeExceptionally(failed);
      }
    }

    @Override
    public void stopWaiting() {
      thread.interrupt();
    }

    @Override
    protected void unused(Result<T> late) {
      unused.accept(late);
    }
  }
}
