package io.holdfast.api;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
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
  /** Makes the threads of brokers that have only blocking verbs. */
  static final ThreadFactory DAEMONS =
      task -> {
        Thread thread = new Thread(task, "holdfast-call");
        thread.setDaemon(true);
        return thread;
      };

  /** A result that is there already. */
  public static <T> AsyncResult<T> of(Result<T> result) {
    AsyncResult<T> done = new AsyncResult<>();
    done.complete(result);
    return done;
  }

  /** Runs a blocking call on a thread of its own. {@link #stopWaiting} interrupts it. */
  public static <T> AsyncResult<T> onThread(ThreadFactory threads, Supplier<Result<T>> call) {
    return onThread(threads, call, late -> {});
  }

  /**
   * The same.
   *
   * @param unused handles a result that nobody uses any more, on that thread
   */
  public static <T> AsyncResult<T> onThread(
      ThreadFactory threads, Supplier<Result<T>> call, Consumer<Result<T>> unused) {
    OnThread<T> result = new OnThread<>(threads, call, unused);
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

  /** Handles a result that came after it was cancelled or timed out. */
  protected void unused(Result<T> late) {}

  /** The same result, after an action has seen it. The action must not block or throw. */
  @SuppressWarnings("FutureReturnValueIgnored") // The result that is returned has the failure.
  public final AsyncResult<T> peek(Consumer<Result<T>> action) {
    Peeked<T> peeked = new Peeked<>(this);
    whenComplete(
        (result, failure) -> {
          if (failure != null) {
            peeked.completeExceptionally(failure);
            return;
          }
          try {
            action.accept(result);
          } catch (RuntimeException | Error bug) {
            // Nobody must wait for ever because of it.
            peeked.completeExceptionally(bug);
            return;
          }
          peeked.answer(result);
        });
    return peeked;
  }

  /** Cancels it, and ends the wait of the request if it waits. */
  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean cancelled = super.cancel(mayInterruptIfRunning);
    stopWaiting();
    return cancelled;
  }

  private static final class Peeked<T> extends AsyncResult<T> {
    private final AsyncResult<T> inner;

    Peeked(AsyncResult<T> inner) {
      this.inner = inner;
    }

    @Override
    public void stopWaiting() {
      inner.stopWaiting();
    }

    @Override
    protected void unused(Result<T> late) {
      inner.unused(late);
    }
  }

  private static final class OnThread<T> extends AsyncResult<T> {
    private final Thread thread;
    private final Consumer<Result<T>> unused;

    OnThread(ThreadFactory threads, Supplier<Result<T>> call, Consumer<Result<T>> unused) {
      this.unused = unused;
      this.thread = threads.newThread(() -> run(call));
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
