package io.holdfast.cluster;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.wire.Verb;
import io.holdfast.cluster.peer.PeerException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A request on its way to the leader: asked of one node after the other until one that leads has
 * answered, or until there was no leader for too long.
 *
 * <p>A request that surely had no effect is sent again; one whose fate is unknown only if a repeat
 * is harmless. What it waits for goes on at the next leader, for the rest of its time.
 *
 * <p>Thread: any; attempts follow each other.
 */
final class RoutedCall<I, O> extends AsyncResult<O> {
  private static final long NANOS_PER_MS = 1_000_000;

  /** The first pause after a node that does not lead; each further one is twice as long. */
  private static final long PAUSE_NANOS = 10 * NANOS_PER_MS;

  private static final long PAUSE_NANOS_MAX = 160 * NANOS_PER_MS;

  /** After an attempt that took so long, there was a leader in between. */
  private static final long LED_NANOS = 1_000 * NANOS_PER_MS;

  private final CallRouter router;
  private final Verb<I, O> verb;
  private final I request;
  private final long waitMs;
  private final boolean harmless;
  private final long begunNanos;

  private long attemptNanos;
  private long pauseNanos = PAUSE_NANOS;

  /** Until when a leader is waited for; meaningful while {@link #leaderless}. */
  private long patienceEndNanos;

  /** How long the leader has not answered the last attempt, if that was lost. */
  private long silentNanos;

  private boolean leaderless;
  private boolean repeated;
  private boolean inDoubt;

  /** How many attempts may still be carried out by the nodes that were asked. */
  private int doubts;

  private @Nullable AsyncResult<O> current;
  private boolean stopped;

  RoutedCall(CallRouter router, Verb<I, O> verb, I request) {
    this.router = router;
    this.verb = verb;
    this.request = request;
    this.waitMs = RepeatRules.waitMs(request);
    this.harmless = RepeatRules.isHarmless(verb, request);
    this.begunNanos = router.time.nanos();
  }

  /** The request as it is to be sent now. */
  private I request() {
    if (!repeated) {
      return request;
    }
    I numbered = RepeatRules.withTry(request, doubts);
    if (waitMs == 0) {
      return numbered;
    }
    long elapsedMs = (router.time.nanos() - begunNanos) / NANOS_PER_MS;
    return RepeatRules.withWait(numbered, stopped ? 0 : Math.max(0, waitMs - elapsedMs));
  }

  /**
   * Asks the broker of this node on the calling thread, and sends the request on if it does not
   * lead.
   */
  Result<O> askHereFirst() {
    if (router.isLeading()) {
      attemptNanos = System.nanoTime();
      finished(verb.ask(router.own, request), null);
    } else {
      attempt();
    }
    return await();
  }

  /** Makes the next attempt. */
  void attempt() {
    if (isDone()) {
      return;
    }
    silentNanos = 0;
    if (router.isClosed()) {
      answer(Result.refused(ErrorCode.CLOSED, "the node of the cluster is closed"));
      return;
    }
    attemptNanos = System.nanoTime();
    AsyncResult<O> asked = router.ask(verb, request());
    if (asked == null) {
      again("the cluster has no leader at the moment");
      return;
    }
    boolean stop;
    synchronized (this) {
      current = asked;
      stop = stopped;
    }
    if (stop || isDone()) {
      asked.stopWaiting();
    }
    then(asked);
  }

  /** What is done with the result is all there is to do. */
  @SuppressWarnings("FutureReturnValueIgnored")
  private void then(AsyncResult<O> asked) {
    asked.whenComplete(this::finished);
  }

  private void finished(@Nullable Result<O> result, @Nullable Throwable failure) {
    if (result == null) {
      failed(failure);
      return;
    }
    if (result.isOk()) {
      answer(inDoubt ? result.map(one -> RepeatRules.afterRepeat(request, one)) : result);
      return;
    }
    switch (result.refusal().code()) {
      case NOT_LEADER -> again(result.refusal().detail());
      // A node whose data cannot be stored ends, but its entries may be committed.
      case OUTCOME_UNKNOWN, SHARD_STOPPED -> doubtful();
      // The leader is closing, and did not begin with this; this node is not, see attempt().
      case CLOSED -> again(result.refusal().detail());
      case REQUEST_FORGOTTEN -> answer(inDoubt ? unknown() : result);
      default -> answer(result);
    }
  }

  private void failed(@Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof PeerException unanswered) {
      if (waitMs == 0) {
        // It has waited for a leader already.
        silentNanos = Math.min(System.nanoTime() - attemptNanos, router.patience.toNanos() * 4 / 5);
      }
      if (unanswered.wasSent()) {
        doubtful();
      } else {
        again("the leader of the cluster cannot be reached: " + unanswered.getMessage());
      }
    } else if (cause != null) {
      completeExceptionally(cause);
    }
  }

  private void doubtful() {
    doubts++;
    inDoubt |= !RepeatRules.READS.contains(verb);
    if (harmless) {
      again("the leader of the cluster did not answer");
    } else {
      answer(unknown());
    }
  }

  private Result<O> unknown() {
    return Result.refused(
        ErrorCode.OUTCOME_UNKNOWN,
        "the leader of the cluster changed while the request was carried out: it may have taken"
            + " effect or not. Check for its effect before sending it again; a push or commit with"
            + " a request id can be repeated safely");
  }

  /** Sends the request again when there is a leader, unless there has been none for too long. */
  private void again(String why) {
    long now = System.nanoTime();
    if (!leaderless || now - attemptNanos > LED_NANOS) {
      leaderless = true;
      patienceEndNanos = now + router.patience.toNanos() - silentNanos;
      pauseNanos = PAUSE_NANOS;
    }
    repeated = true;
    boolean given;
    synchronized (this) {
      current = null;
      given = stopped && waitMs > 0;
    }
    if (given || now - patienceEndNanos >= 0) {
      answer(inDoubt ? unknown() : Result.refused(ErrorCode.NOT_LEADER, why + "; ask again"));
      return;
    }
    router.again(this, now + pauseNanos);
    pauseNanos = Math.min(pauseNanos * 2, PAUSE_NANOS_MAX);
  }

  /** Waits for the result. An interrupt ends the wait of the request, and is kept. */
  private Result<O> await() {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return get();
        } catch (InterruptedException stop) {
          interrupted = true;
          stopWaiting();
        } catch (ExecutionException failed) {
          if (failed.getCause() instanceof RuntimeException unchecked) {
            throw unchecked;
          }
          throw new IllegalStateException(failed.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void stopWaiting() {
    AsyncResult<O> asked;
    synchronized (this) {
      stopped = true;
      asked = current;
    }
    if (asked != null) {
      asked.stopWaiting();
    } else {
      router.wake();
    }
  }

  /** Gives back the messages of a pop whose answer nobody uses. */
  @Override
  protected void unused(Result<O> late) {
    if (request instanceof PopRequest pop
        && late.isOk()
        && late.orThrow() instanceof Popped popped
        && !popped.leaseId().isEmpty()) {
      router.giveBack(pop, popped);
    }
  }
}
