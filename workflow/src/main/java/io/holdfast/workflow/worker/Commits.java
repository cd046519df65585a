package io.holdfast.workflow.worker;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Refusal;
import io.holdfast.api.Result;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.Settled;
import io.holdfast.workflow.store.Changes;
import io.holdfast.workflow.store.FlowStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores what turns and activities bring about, with patience: a broker in trouble is no reason for
 * a flow to fail.
 *
 * <p>Thread: any.
 */
final class Commits {
  private static final Logger LOG = LoggerFactory.getLogger(Commits.class);

  /** How a commit ended. */
  enum Outcome {
    DONE,
    /** Somebody else has changed the flow: look again. */
    BEHIND,
    /** The lease is over: somebody else has, or will have, what it held. */
    LOST,
    /** It holds more than the broker takes. */
    TOO_LARGE,
    /** The broker is in trouble. What is held has to be released: the flow is not to blame. */
    REFUSED
  }

  private static final int TRIES_MAX = 8;

  private static final long FIRST_MS = 20;
  private static final long WAIT_MS_MAX = 2_000;

  private final FlowStore store;
  private final Waiting waiting;
  private final long leaseMs;

  /** How to let time pass. */
  interface Waiting {
    void pause(long ms) throws InterruptedException;

    Waiting SLEEP = ms -> TimeUnit.MILLISECONDS.sleep(ms);
  }

  /**
   * @param leaseMs how long messages are held; their release is tried for as long
   */
  Commits(FlowStore store, Waiting waiting, long leaseMs) {
    this.store = store;
    this.waiting = waiting;
    this.leaseMs = leaseMs;
  }

  /**
   * Commits what a list of held messages brings about.
   *
   * <p>If a message was taken back in the meantime, the rest still counts.
   */
  Outcome commit(List<Handle> held, Function<List<Handle>, Changes> changes) {
    return commit(held, changes, committed -> {});
  }

  /**
   * The same.
   *
   * @param done is told what the broker answered, if it was stored
   */
  Outcome commit(
      List<Handle> held, Function<List<Handle>, Changes> changes, Consumer<Committed> done) {
    List<Handle> left = new ArrayList<>(held);
    long waitMs = FIRST_MS;
    for (int tries = 1; ; ) {
      Changes now = changes.apply(left);
      if (now.isEmpty()) {
        return Outcome.DONE;
      }
      Result<Committed> result;
      try {
        result = store.commit(now);
      } catch (UnreachableException trouble) {
        result = Result.refused(ErrorCode.OVERLOADED, trouble.toString());
      }
      if (result.isOk()) {
        done.accept(result.orThrow());
        return Outcome.DONE;
      }
      Refusal refusal = result.refusal();
      int culprit = refusal.operation();
      switch (refusal.code()) {
        case ALREADY_SETTLED -> {
          // An earlier try got through, and only its answer was lost: acks come with all the rest.
          return Outcome.LOST;
        }
        case CANCELLED, NOT_FOUND -> {
          if (culprit < 0 || culprit >= left.size()) {
            return Outcome.LOST;
          }
          left.remove(culprit);
        }
        case WRONG_POSITION, WRONG_VERSION -> {
          return Outcome.BEHIND;
        }
        case TOO_LARGE -> {
          LOG.error("What a turn brings about is too large to be stored: {}", refusal.detail());
          return Outcome.TOO_LARGE;
        }
        case STALE_LEASE, NOT_APPLIED -> {
          return Outcome.LOST;
        }
        case OVERLOADED, FULL, LIMIT, READ_FAILED -> {
          if (tries++ >= TRIES_MAX || !pause(waitMs)) {
            return refused(refusal);
          }
          waitMs = Math.min(WAIT_MS_MAX, waitMs * 2);
        }
        default -> {
          return refused(refusal);
        }
      }
    }
  }

  private static Outcome refused(Refusal refusal) {
    LOG.warn(
        "The broker refused a commit ({}: {}); the messages are released and come again.",
        refusal.code(),
        refusal.detail());
    return Outcome.REFUSED;
  }

  /** Releases messages after a delay, so that this delivery is not charged to them. */
  void release(List<Handle> held, long delayMs) {
    settle(held.stream().map(handle -> Settle.release(handle).delayMs(delayMs)).toList());
  }

  /**
   * Ends deliveries. A broker in trouble is asked again for as long as a lease lasts: a lease that
   * expires counts as the death of a worker.
   */
  void settle(List<Settle> settles) {
    long waitMs = FIRST_MS;
    long waitedMs = 0;
    while (true) {
      Result<Settled> result;
      try {
        result = store.broker().settle(new SettleRequest(settles, false));
      } catch (UnreachableException trouble) {
        result = Result.refused(ErrorCode.OVERLOADED, trouble.toString());
      }
      if (result.isOk()) {
        return;
      }
      boolean again = result.refusal().code().retryable() && waitedMs < leaseMs;
      if (!again || !pause(waitMs)) {
        LOG.warn(
            "{} messages come back when their lease ends: {}",
            settles.size(),
            result.refusal().detail());
        return;
      }
      waitedMs += waitMs;
      waitMs = Math.min(WAIT_MS_MAX, waitMs * 2);
    }
  }

  private boolean pause(long ms) {
    try {
      waiting.pause(ms);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
