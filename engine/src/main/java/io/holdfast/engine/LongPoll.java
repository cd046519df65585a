package io.holdfast.engine;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.TimeSource;
import io.holdfast.api.TimerThread;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
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
 * <p>Thread: an asynchronous call continues on the thread of whatever ended its wait, which it does
 * not block; a blocking one on its caller's.
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

  /** When its wait ends at the latest, while it waits. */
  private long dueNanos;

  private TimerThread.@Nullable ScheduledTask timer;

  /** The thread that awaits the result, and is its own timer; null for an asynchronous call. */
  private @Nullable Thread caller;

  LongPoll(Shared shared, long waitMs) {
    this.shared = shared;
    this.deadlineNanos = shared.time.nanos() + waitMs * NANOS_PER_MS;
  }

  /**
   * Runs the call and waits for its result. The calling thread asks again by itself when it is
   * woken, and parks by the clock of the broker; an interrupt ends the wait of the call.
   */
  final Result<T> run(boolean waits) {
    caller = Thread.currentThread();
    start(waits);
    boolean interrupted = false;
    while (!isDone()) {
      if (state.get() != State.WAITING) {
        LockSupport.park(this);
      } else if (isOver()) {
        resume();
      } else {
        shared.time.parkUntil(dueNanos);
      }
      if (Thread.interrupted()) {
        interrupted = true;
        stopping = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return join();
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
    dueNanos = Math.min(nanos, deadlineNanos);
    if (caller == null) {
      timer = shared.timer.at(dueNanos, this::resume);
    }
    state.set(State.WAITING);
    if (caller != null) {
      LockSupport.unpark(caller);
    } else if (isOver()) {
      // Whatever happened before it waited has found nobody to wake.
      resume();
    }
  }

  private boolean isOver() {
    return (waiter != null && waiter.isSignalled())
        || stopping
        || shared.waiters.isClosed()
        || shared.time.nanos() >= dueNanos;
  }

  /** Something has happened that may end the wait. */
  final void wake() {
    if (caller == null) {
      resume();
    } else {
      LockSupport.unpark(caller);
    }
  }

  /** Continues, if it waits. */
  private void resume() {
    if (!state.compareAndSet(State.WAITING, State.ASKING)) {
      return;
    }
    if (timer != null) {
      timer.cancel();
      timer = null;
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
    LockSupport.unpark(caller);
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
    LockSupport.unpark(caller);
  }

  private void leave() {
    state.set(State.ENDED);
    if (waiter != null) {
      waiter.close();
    }
  }
}
