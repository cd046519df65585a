package io.holdfast.client.remote;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Refusal;
import io.holdfast.api.Result;
import io.holdfast.api.TimerThread;
import io.holdfast.api.UnreachableException;
import io.holdfast.client.Completion;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Sends requests until there is an answer, as {@link Attempts} allows. While every address rests, a
 * request waits for the first rest to end, as long as an answer may take.
 *
 * <p>Thread: any.
 */
final class Caller {

  static final Refusal CLOSED_HERE = Refusal.of(ErrorCode.CLOSED, "the remote broker was closed");

  final RemoteConfig config;
  final Endpoints endpoints;

  /** For what blocks: opening connections, and asynchronous requests over HTTP. */
  final ExecutorService threads;

  /** For the pauses of asynchronous requests. */
  final TimerThread timer;

  /** Asynchronous requests that wait for their next attempt. */
  final Set<AsyncCall<?, ?>> paused = ConcurrentHashMap.newKeySet();

  private volatile boolean closed;

  Caller(RemoteConfig config) {
    this.config = config;
    this.threads =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "holdfast-remote");
              thread.setDaemon(true);
              return thread;
            });
    // The logger is made when it is needed: commands that ask a broker and end need none.
    this.timer =
        new TimerThread(
            config.time(),
            "holdfast-remote-timer",
            failure ->
                LoggerFactory.getLogger(Caller.class).error("Repeating a request failed", failure));
    this.endpoints = new Endpoints(config, threads);
  }

  boolean isClosed() {
    return closed;
  }

  /** Sends a request without blocking. */
  <I, O> AsyncCall<I, O> askAsync(Ask<I, O> ask) {
    AsyncCall<I, O> call = new AsyncCall<>(this, ask);
    call.begin();
    if (ask.waitMs() > 0) {
      // A result that timed out is not cancelled, but nobody waits for it either.
      Completion.then(
          call,
          (result, failure) -> {
            if (failure != null) {
              call.stopWaiting();
            }
          });
    }
    return call;
  }

  /** Sends a request whose result nobody needs. */
  <I, O> void send(Ask<I, O> ask) {
    new AsyncCall<>(this, ask).begin();
  }

  /**
   * Sends a request, and waits for its answer. An interrupt ends the wait of a request at the
   * server, and no other.
   *
   * @throws UnreachableException if there is no answer
   */
  <I, O> Result<O> ask(Ask<I, O> ask) {
    Attempts<I, O> attempts = new Attempts<>(config, endpoints, ask);
    Result<O> result = null;
    boolean interrupted = ask.waitMs() == 0 && Thread.interrupted();
    BlockingCall<I, O> call = new BlockingCall<>(ask, attempts);
    try {
      result = call.run();
      return result;
    } finally {
      attempts.end(result);
      if (interrupted || call.interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private final class BlockingCall<I, O> {
    private final Ask<I, O> ask;
    private final Attempts<I, O> attempts;
    private boolean interrupted;

    BlockingCall(Ask<I, O> ask, Attempts<I, O> attempts) {
      this.ask = ask;
      this.attempts = attempts;
    }

    Result<O> run() {
      while (true) {
        if (closed) {
          return Result.refused(CLOSED_HERE);
        }
        Result<O> result = attempt();
        if (result == null) {
          result = attempts.afterFailure();
        }
        if (result != null) {
          return result;
        }
        pause(attempts.pauseUntilNanos());
      }
    }

    private @Nullable Result<O> attempt() {
      Endpoint endpoint = null;
      try {
        if (attempts.isParked() && Thread.interrupted()) {
          throw new InterruptedException("interrupted before the request was sent");
        }
        endpoint = endpoints.await(attempts.isParked(), attempts.deadlineNanos());
        if (endpoint == null) {
          attempts.resting();
          return closed ? Result.refused(CLOSED_HERE) : null;
        }
        return attempts.answered(
            endpoint, endpoint.exchange(ask.verb(), attempts.next(), attempts));
      } catch (FrameUpgrade.Refused refused) {
        return endpoint == null ? null : attempts.answered(endpoint, refused.reply);
      } catch (IOException failed) {
        return lost(endpoint, failed);
      } catch (InterruptedException stopped) {
        interrupted = true;
        attempts.interrupted();
        throw attempts.unreachable();
      }
    }

    private @Nullable Result<O> lost(@Nullable Endpoint endpoint, IOException failed) {
      boolean stopped = Thread.interrupted();
      interrupted |= stopped;
      if (endpoint != null) {
        // Over HTTP an interrupt closes the connection; then it was not the address that failed.
        attempts.lost(endpoint, failed, !stopped && !closed);
      }
      if (stopped && attempts.isParked()) {
        throw attempts.unreachable();
      }
      return null;
    }

    private void pause(long untilNanos) {
      while (!closed && config.time().nanos() - untilNanos < 0) {
        config.time().parkUntil(untilNanos);
        if (Thread.interrupted()) {
          interrupted = true;
          throw attempts.unreachable();
        }
      }
    }
  }

  void close() {
    closed = true;
    endpoints.close();
    timer.close();
    paused.forEach(AsyncCall::begin);
    threads.shutdown();
  }
}
