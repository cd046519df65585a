package io.holdfast.client.remote;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Refusal;
import io.holdfast.api.Result;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.lease.AttemptId;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.wire.Frames;
import io.holdfast.api.wire.Verbs;
import io.holdfast.client.AttemptIds;
import io.holdfast.client.Backoff;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of one request: decides what an answer or a failure means, and whether to send it
 * again.
 *
 * <p>A request that surely had no effect may always be sent again, here or at another address. One
 * whose answer did not come is sent again only if a repeat is harmless. Blocking and asynchronous
 * calls differ in how they wait, and have these rules in common.
 *
 * <p>Thread: one at a time; {@link #late} any.
 */
final class Attempts<I, O> implements PendingCall.Listener {
  private static final int OK = 200;
  private static final long NANOS_PER_MS = 1_000_000;

  private final RemoteConfig config;
  private final Endpoints endpoints;
  private final Ask<I, O> ask;
  private final long begunNanos;
  private long waitMs;
  private int made;
  private @Nullable Refusal refused;
  private @Nullable Exception failed;
  private boolean inDoubt;
  private @Nullable Backoff backoff;

  private boolean ended;
  private @Nullable O used;
  private @Nullable O lateAnswer;

  Attempts(RemoteConfig config, Endpoints endpoints, Ask<I, O> ask) {
    this.config = config;
    this.endpoints = endpoints;
    this.ask = ask;
    this.waitMs = ask.waitMs();
    this.begunNanos = config.time().nanos();
  }

  /** Whether the server may wait before it answers. */
  boolean isParked() {
    return waitMs > 0;
  }

  /** Further attempts do not wait. */
  void stopWaiting() {
    waitMs = 0;
  }

  /** Until when an address that rests is waited for. */
  long deadlineNanos() {
    return begunNanos + Duration.ofMillis(ask.waitMs()).plus(config.answerTimeout()).toNanos();
  }

  /** The request as it is sent now; the repeats of a pop are numbered. */
  @SuppressWarnings("unchecked")
  private I request() {
    I request = ask.request().apply(waitMs);
    String id = made > 0 && request instanceof PopRequest pop ? pop.attemptId() : null;
    return id == null
        ? request
        : (I) ((PopRequest) request).attemptId(AttemptId.later(id, made * AttemptIds.AFTER_A_SEND));
  }

  SentRequest next() {
    return new SentRequest(
        Frames.request(ask.verb(), request()), waitMs, config.answerTimeout().toMillis());
  }

  /**
   * An attempt has no result, and may be made again.
   *
   * @return the result if it is not
   * @throws UnreachableException if there is none
   */
  @Nullable Result<O> afterFailure() {
    if (inDoubt && !isRepeatable()) {
      throw unreachable();
    }
    if (++made < config.attempts()) {
      return null;
    }
    Refusal last = refused;
    // That broker is closing, not this one: another may take its place.
    if (last != null && !inDoubt && last.code() != ErrorCode.CLOSED) {
      return Result.refused(last);
    }
    throw unreachable();
  }

  private boolean isRepeatable() {
    return (config.time().nanos() - begunNanos) / NANOS_PER_MS < ask.repeatableMs();
  }

  /** When the next attempt may be made. */
  long pauseUntilNanos() {
    if (backoff == null) {
      backoff = new Backoff(config.backoff(), config.backoffMax());
    }
    return config.time().nanos() + backoff.next().toNanos();
  }

  UnreachableException unreachable() {
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

  /** All addresses rest for longer than there is time. */
  void resting() {
    failed =
        new IOException(
            "every address failed "
                + config.restAfter()
                + " times in a row or more, and is left alone for "
                + config.rest().toMillis()
                + " ms after each failure");
  }

  /** The thread was interrupted before the request was sent. */
  void interrupted() {
    failed = new IOException("the thread was interrupted before the request was sent");
  }

  /**
   * An attempt failed.
   *
   * @param counts whether that is a failure of the address
   */
  void lost(Endpoint endpoint, IOException e, boolean counts) {
    failed = e;
    inDoubt |= ask.hasEffect() && !(e instanceof NotSentException);
    if (counts && LostConnectionException.counts(e)) {
      endpoints.failed(endpoint);
    }
  }

  /** The result of an answer, or null if it is worth another attempt. */
  @Nullable Result<O> answered(Endpoint endpoint, Reply reply) {
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
      case NOT_LEADER -> {
        endpoints.succeeded(endpoint);
        endpoints.leave(endpoint);
      }
      case OUTCOME_UNKNOWN -> {
        endpoints.succeeded(endpoint);
        inDoubt |= ask.hasEffect();
        failed = new IOException(why.detail());
        return null;
      }
      default -> {
        endpoints.succeeded(endpoint);
        if (inDoubt && why.code() == ErrorCode.REQUEST_FORGOTTEN) {
          failed = new IOException(why.detail() + "; check for its effect before sending it again");
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

  // Answers that come too late

  /** The request has ended, with this answer or with none. */
  void end(@Nullable Result<O> result) {
    O late;
    synchronized (this) {
      ended = true;
      used = result != null && result.isOk() ? result.orThrow() : null;
      late = lateAnswer;
    }
    if (late != null) {
      ask.onLate().accept(late, used);
    }
  }

  @Override
  public void late(Reply reply) {
    if (reply.status() != OK) {
      return;
    }
    O answer;
    try {
      answer = ask.verb().answer(reply.body());
    } catch (IllegalArgumentException damaged) {
      // Nobody waits for it, and there is nothing to give back.
      return;
    }
    synchronized (this) {
      if (!ended) {
        // A repeat may still return the same.
        lateAnswer = answer;
        return;
      }
    }
    ask.onLate().accept(answer, used);
  }
}
