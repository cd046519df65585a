package io.holdfast.client.remote;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Refusal;
import io.holdfast.api.Result;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.wire.Verb;
import io.holdfast.api.wire.Verbs;
import io.holdfast.client.Backoff;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Asks until there is an answer, as often as is safe and allowed.
 *
 * <p>A request that surely had no effect may always be sent again, here or at another address. One
 * whose answer did not come is sent again only if a repeat is harmless. While every address rests,
 * a request waits for the first rest to end, as long as an answer may take.
 *
 * <p>Thread: any.
 */
final class Caller {
  /** For requests of which a repeat may do harm, or never does. */
  static final long NEVER = 0;

  static final long ALWAYS = Long.MAX_VALUE;

  private static final int OK = 200;
  private static final long NANOS_PER_MS = 1_000_000;
  private static final Refusal CLOSED_HERE =
      Refusal.of(ErrorCode.CLOSED, "the remote broker was closed");

  /**
   * A request.
   *
   * @param repeatableMs how long after the first attempt asking again does no harm
   * @param waitMs how long the server may wait for something to happen
   * @param hasEffect whether it matters that it may have been executed although no answer came
   */
  record Ask<I, O>(Verb<I, O> verb, I request, long repeatableMs, long waitMs, boolean hasEffect) {
    Ask(Verb<I, O> verb, I request, long repeatableMs, long waitMs) {
      this(verb, request, repeatableMs, waitMs, true);
    }

    static <I, O> Ask<I, O> read(Verb<I, O> verb, I request) {
      return new Ask<>(verb, request, ALWAYS, 0, false);
    }
  }

  private final RemoteConfig config;
  private final Endpoints endpoints;
  private volatile boolean closed;

  Caller(RemoteConfig config) {
    this.config = config;
    this.endpoints = new Endpoints(config);
  }

  /**
   * Asks.
   *
   * @throws UnreachableException if there is no answer
   */
  <I, O> Result<O> ask(Ask<I, O> ask) {
    // An interrupt would close the connection; but what is to be sent is sent all the same. What
    // would wait is meant by it: so there it stays, and cuts the call short.
    boolean interrupted = ask.waitMs() == 0 && Thread.interrupted();
    Attempts<I, O> attempts = new Attempts<>(ask);
    try {
      return attempts.run();
    } finally {
      if (interrupted || attempts.interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private final class Attempts<I, O> {
    private final Ask<I, O> ask;
    private final byte[] body;
    private final long deadlineNanos;
    private boolean interrupted;
    private int made;
    private final long begunNanos = config.time().nanos();
    private @Nullable Refusal refused;
    private @Nullable Exception failed;
    private boolean inDoubt;
    private @Nullable Backoff backoff;

    Attempts(Ask<I, O> ask) {
      this.ask = ask;
      this.body = ask.verb().requestBytes(ask.request());
      this.deadlineNanos = config.time().nanos() + Duration.ofMillis(answerMs()).toNanos();
    }

    /** How long the answer may take. */
    private long answerMs() {
      return ask.waitMs() + config.answerTimeout().toMillis();
    }

    Result<O> run() {
      while (true) {
        if (closed) {
          return Result.refused(CLOSED_HERE);
        }
        Result<O> result = attempt();
        if (result != null) {
          return result;
        }
        if (inDoubt && !isRepeatable()) {
          throw unreachable();
        }
        if (++made >= config.attempts()) {
          Refusal last = refused;
          // That broker is closing, not this one: another may take its place.
          if (last != null && !inDoubt && last.code() != ErrorCode.CLOSED) {
            return Result.refused(last);
          }
          throw unreachable();
        }
        pause();
      }
    }

    private boolean isRepeatable() {
      long passedMs = (config.time().nanos() - begunNanos) / NANOS_PER_MS;
      return passedMs < ask.repeatableMs();
    }

    private UnreachableException unreachable() {
      Exception cause = failed;
      String why = cause == null || cause.getMessage() == null ? "no answer" : cause.getMessage();
      return new UnreachableException(
          ask.verb()
              + ": the broker at "
              + endpoints
              + (inDoubt ? " did not answer: " : " cannot be reached: ")
              + why
              + (inDoubt ? "; whether it took effect is not known" : ""),
          inDoubt,
          cause == null ? new IOException(why) : cause);
    }

    /** The result, or null if it is worth another attempt. */
    private @Nullable Result<O> attempt() {
      boolean parked = ask.waitMs() > 0;
      Endpoint endpoint = restedEndpoint(parked);
      if (endpoint == null) {
        return closed ? Result.refused(CLOSED_HERE) : null;
      }
      try {
        return answered(endpoint, endpoint.exchange(ask.verb(), body, answerMs(), parked));
      } catch (NotSentException e) {
        lost(endpoint, e);
        return null;
      } catch (IOException e) {
        inDoubt |= ask.hasEffect();
        lost(endpoint, e);
        return null;
      }
    }

    /** The address to ask, or null if all of them rest for longer than there is time. */
    private @Nullable Endpoint restedEndpoint(boolean parked) {
      try {
        Endpoint endpoint = endpoints.await(parked, deadlineNanos);
        failed = endpoint == null ? resting() : failed;
        return endpoint;
      } catch (InterruptedException stopped) {
        interrupted = true;
        failed = resting();
        throw unreachable();
      }
    }

    private IOException resting() {
      return new IOException(
          "every address failed "
              + config.restAfter()
              + " times in a row or more, and is left alone for "
              + config.rest().toMillis()
              + " ms after each failure");
    }

    private void lost(Endpoint endpoint, IOException e) {
      failed = e;
      if (Thread.interrupted()) {
        // It was not the address that failed: an interrupt closes the connection.
        interrupted = true;
        if (ask.waitMs() > 0) {
          throw unreachable();
        }
      } else if (!closed) {
        endpoints.failed(endpoint);
      }
    }

    private @Nullable Result<O> answered(Endpoint endpoint, Reply reply) {
      if (!reply.type().equals(Verbs.CONTENT_TYPE)) {
        return foreign(endpoint, reply);
      }
      if (reply.status() == OK) {
        endpoints.succeeded(endpoint);
        return Result.ok(ask.verb().answer(reply.body()));
      }
      Refusal why = Verbs.refusal(reply.body());
      switch (why.code()) {
        case OVERLOADED -> endpoints.succeeded(endpoint);
        case CLOSED, SHARD_STOPPED -> endpoints.failed(endpoint);
        default -> {
          endpoints.succeeded(endpoint);
          if (inDoubt && why.code() == ErrorCode.REQUEST_FORGOTTEN) {
            failed =
                new IOException(why.detail() + "; check for its effect before sending it again");
            throw unreachable();
          }
          return Result.refused(why);
        }
      }
      // It had no effect this time; an earlier attempt may still have had one.
      refused = why;
      failed = new IOException(why.detail());
      return null;
    }

    /** An answer that is not of the broker but of the server, or of something before it. */
    private @Nullable Result<O> foreign(Endpoint endpoint, Reply reply) {
      String text = ProblemText.of(reply.status(), new String(reply.body(), UTF_8));
      return switch (reply.status()) {
        case 400 -> throw new IllegalArgumentException(text);
        case 401 -> Result.refused(ErrorCode.UNAUTHENTICATED, text);
        case 403 -> Result.refused(ErrorCode.FORBIDDEN, text);
        case 413 -> Result.refused(ErrorCode.TOO_LARGE, text);
        case 429, 503 -> {
          endpoints.failed(endpoint);
          failed = new IOException(text);
          yield null;
        }
        case 500, 502, 504 -> {
          endpoints.failed(endpoint);
          failed = new IOException(text);
          inDoubt |= ask.hasEffect();
          yield null;
        }
        default ->
            throw new IllegalStateException(
                "the server at " + endpoint.address() + " does not take this request: " + text);
      };
    }

    /** Waits before the next attempt. */
    private void pause() {
      if (backoff == null) {
        backoff = new Backoff(config.backoff(), config.backoffMax());
      }
      long until = config.time().nanos() + backoff.next().toNanos();
      while (!closed && config.time().nanos() - until < 0) {
        config.time().parkUntil(until);
        if (Thread.interrupted()) {
          interrupted = true;
          throw unreachable();
        }
      }
    }
  }

  void close() {
    closed = true;
    endpoints.close();
  }
}
