package io.holdfast.client.remote;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Result;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.client.Completion;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * An asynchronous request: one attempt after the other, without a thread of its own while it waits.
 *
 * <p>Over HTTP, each attempt blocks a thread of the caller's pool.
 *
 * <p>Thread: any; steps follow each other.
 */
final class AsyncCall<I, O> extends AsyncResult<O> implements PendingCall.Listener {
  private final Caller caller;
  private final Ask<I, O> ask;
  private final Attempts<I, O> attempts;
  private @Nullable Endpoint endpoint;
  private @Nullable FrameConnection connection;
  private @Nullable PendingCall pending;

  /** The thread that asks over HTTP. */
  private @Nullable Thread thread;

  private boolean stopped;

  AsyncCall(Caller caller, Ask<I, O> ask) {
    this.caller = caller;
    this.ask = ask;
    this.attempts = new Attempts<>(caller.config, caller.endpoints, ask);
  }

  /** Makes the next attempt. */
  void begin() {
    caller.paused.remove(this);
    step(this::attempt);
  }

  /** Runs a step; what it throws is the end of the request. */
  private void step(Runnable action) {
    try {
      action.run();
    } catch (RejectedExecutionException closed) {
      end(Result.refused(Caller.CLOSED_HERE));
    } catch (RuntimeException | Error failed) {
      attempts.end(null);
      completeExceptionally(failed);
    }
  }

  private void end(Result<O> result) {
    attempts.end(result);
    answer(result);
  }

  private void attempt() {
    if (caller.isClosed()) {
      end(Result.refused(Caller.CLOSED_HERE));
      return;
    }
    Endpoint picked = caller.endpoints.pick(attempts.isParked());
    if (picked == null) {
      awaitRest();
      return;
    }
    endpoint = picked;
    SentRequest request;
    synchronized (this) {
      if (stopped) {
        attempts.stopWaiting();
      }
      request = attempts.next();
    }
    connect(picked, request);
  }

  private void connect(Endpoint picked, SentRequest request) {
    int bytes = request.frame().length;
    CompletableFuture<@Nullable FrameConnection> open = picked.connection(bytes);
    if (open.isDone() && !open.isCompletedExceptionally()) {
      send(open.join(), request);
      return;
    }
    Completion.then(
        open,
        (opened, failure) ->
            step(
                () -> {
                  if (failure != null) {
                    notConnected(picked, failure);
                  } else if (opened != null && !FrameConnections.hasRoom(opened, bytes)) {
                    // Others that waited for the same connection have filled it.
                    connect(picked, request);
                  } else {
                    send(opened, request);
                  }
                }));
  }

  private void awaitRest() {
    Long again = caller.endpoints.nextPickNanos(attempts.deadlineNanos());
    if (again == null) {
      attempts.resting();
      afterFailure();
    } else {
      at(again);
    }
  }

  private void at(long nanos) {
    caller.paused.add(this);
    caller.timer.at(nanos, this::begin);
    if (caller.isClosed()) {
      // The timer may have dropped it.
      begin();
    }
  }

  private void notConnected(Endpoint picked, Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof FrameUpgrade.Refused refused) {
      answered(picked, refused.reply);
    } else {
      lost(picked, FrameConnections.failure(cause));
    }
  }

  private void send(@Nullable FrameConnection open, SentRequest request) {
    Endpoint picked = endpoint;
    if (picked == null) {
      throw new IllegalStateException("no address was picked");
    }
    if (open == null) {
      caller.threads.execute(() -> step(() -> askOverHttp(picked, request)));
      return;
    }
    PendingCall call = request.call(this, null);
    try {
      open.send(call);
    } catch (NotSentException failed) {
      lost(picked, failed);
      return;
    }
    boolean stop;
    synchronized (this) {
      pending = call;
      connection = open;
      stop = stopped;
    }
    if (stop) {
      open.stopWaiting(call);
    }
  }

  @Override
  public void ended(PendingCall call) {
    Endpoint asked = endpoint;
    if (asked == null) {
      return;
    }
    step(
        () -> {
          Reply reply;
          try {
            reply = call.reply();
          } catch (IOException failed) {
            lost(asked, failed);
            return;
          }
          answered(asked, reply);
        });
  }

  @Override
  public void late(Reply reply) {
    attempts.late(reply);
  }

  private void askOverHttp(Endpoint picked, SentRequest request) {
    synchronized (this) {
      thread = Thread.currentThread();
      if (stopped && request.waitMs() > 0) {
        thread.interrupt();
      }
    }
    Reply reply;
    try {
      reply = picked.exchangeOverHttp(ask.verb(), request);
    } catch (IOException failed) {
      finishedOverHttp();
      lost(picked, failed);
      return;
    }
    finishedOverHttp();
    answered(picked, reply);
  }

  private synchronized void finishedOverHttp() {
    thread = null;
    Thread.interrupted();
  }

  private void answered(Endpoint picked, Reply reply) {
    Result<O> result = attempts.answered(picked, reply);
    if (result == null) {
      afterFailure();
    } else {
      end(result);
    }
  }

  private void lost(Endpoint picked, IOException failed) {
    boolean wasStopped;
    synchronized (this) {
      wasStopped = stopped && attempts.isParked();
    }
    // Over HTTP the end of a wait closes the connection; then it was not the address that failed.
    attempts.lost(picked, failed, !wasStopped && !caller.isClosed());
    afterFailure();
  }

  private void afterFailure() {
    Result<O> result = attempts.afterFailure();
    if (result != null) {
      end(result);
    } else {
      at(attempts.pauseUntilNanos());
    }
  }

  @Override
  public void stopWaiting() {
    PendingCall call;
    FrameConnection open;
    synchronized (this) {
      stopped = true;
      call = pending;
      open = connection;
      if (thread != null && mayInterrupt()) {
        thread.interrupt();
      }
    }
    if (call != null && open != null) {
      open.stopWaiting(call);
    }
  }

  /** An interrupt ends a request over HTTP without its answer, which may have verdicts. */
  private boolean mayInterrupt() {
    return ask.waitMs() > 0
        && !(ask.request().apply(0) instanceof PopRequest pop && !pop.settles().isEmpty());
  }

  @Override
  protected void unused(Result<O> late) {
    if (late.isOk()) {
      ask.onLate().accept(late.orThrow(), null);
    }
  }
}
