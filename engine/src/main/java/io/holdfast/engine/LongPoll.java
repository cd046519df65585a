package io.holdfast.engine;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.TimeSource;
import io.holdfast.api.TimerThread;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A call that may wait: it asks, waits until something happened or is due, and asks again.
 *
 * <p>Invariant: it is asking or waiting, and whoever takes it out of one state alone continues it;
 * so its fields need no lock.
 *
 * <p>Thread: it continues on the thread of whatever ended its wait, which it does not block.
 *
 * @param <R> what it is answered each time it asks
 * @param <T> its result
 */
abstract class LongPoll<R, T> extends AsyncResult<T> {
  private static final Logger LOG = LoggerFactory.getLogger(LongPoll.class);
  private static final long NANOS_PER_MS = 1_000_000;

  private enum State {
    ASKING,
    WAITING,
    ENDED
  }

  /** What all calls that wait share. */
  record Shared(Waiters waiters, TimerThread timer, TimeSource time) {}

  private final Shared shared;
  private final long deadlineNanos;
  private final AtomicReference<State> state = new AtomicReference<>(State.ASKING);
  private volatile boolean stopping;
  private Waiters.@Nullable Waiter waiter;
  private TimerThread.@Nullable ScheduledTask due;

  LongPoll(Shared shared, long waitMs) {
    this.shared = shared;
    this.deadlineNanos = shared.time.nanos() + waitMs * NANOS_PER_MS;
  }

  /** Begins; a call that may wait gets its place first, so that it misses nothing. */
  final void start(boolean waits) {
    if (waits) {
      waiter = enter(shared.waiters);
      if (waiter == null) {
        answer(Result.refused(ErrorCode.OVERLOADED, "too many calls wait; try again shortly"));
        return;
      }
    }
    ask();
  }

  /** Gets a place among the calls that wait; null if there is none. */
  abstract Waiters.@Nullable Waiter enter(Waiters waiters);

  /** Asks; {@link #received} gets the reply. */
  abstract void send(Pending<R> reply);

  /** Continues with a reply: with one of {@link #ask}, {@link #awaitUntil} and {@link #end}. */
  abstract void received(R reply);

  /** Ends a call that has waited in vain, with its last reply. */
  abstract void giveUp();

  final boolean waits() {
    return waiter != null;
  }

  final TimeSource time() {
    return shared.time;
  }

  final long deadlineNanos() {
    return deadlineNanos;
  }

  final void ask() {
    if (waiter != null) {
      waiter.arm();
    }
    send(new Pending<>(this::reply));
  }

  private void reply(R reply) {
    try {
      received(reply);
    } catch (RuntimeException | Error bug) {
      fail(bug);
    }
  }

  /** Signals the next call that may find the same work. */
  final void passOn() {
    if (waiter != null) {
      waiter.passOn();
    }
  }

  /** Waits for a signal, at most until a time or the deadline. */
  final void awaitUntil(long nanos) {
    long until = Math.min(nanos, deadlineNanos);
    due = shared.timer.at(until, this::wake);
    state.set(State.WAITING);
    // Whatever happened before it waited has found nobody to wake.
    if ((waiter != null && waiter.isSignalled())
        || stopping
        || shared.waiters.isClosed()
        || shared.time.nanos() >= until) {
      wake();
    }
  }

  /** Ends the wait, if it waits. */
  final void wake() {
    if (!state.compareAndSet(State.WAITING, State.ASKING)) {
      return;
    }
    if (due != null) {
      due.cancel();
      due = null;
    }
    if (stopping || shared.waiters.isClosed() || shared.time.nanos() >= deadlineNanos) {
      giveUp();
    } else {
      ask();
    }
  }

  @Override
  public final void stopWaiting() {
    stopping = true;
    wake();
  }

  /** Gives the result. */
  final void end(Result<T> result) {
    leave();
    answer(result);
  }

  /** Makes the result on a virtual thread, because that may block. */
  final void endLater(Supplier<Result<T>> result) {
    Thread.startVirtualThread(
        () -> {
          try {
            end(result.get());
          } catch (RuntimeException | Error bug) {
            fail(bug);
          }
        });
  }

  private void fail(Throwable bug) {
    LOG.error("A call that waits failed. Please report this.", bug);
    leave();
    completeExceptionally(bug);
  }

  private void leave() {
    state.set(State.ENDED);
    if (waiter != null) {
      waiter.close();
    }
  }

  /** Waits for the result; an interrupt ends the wait of the call. */
  static <T> Result<T> await(AsyncResult<T> call) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return call.get();
        } catch (InterruptedException stopped) {
          interrupted = true;
          call.stopWaiting();
        }
      }
    } catch (ExecutionException failed) {
      throw new IllegalStateException(failed.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
