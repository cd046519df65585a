package io.holdfast.client.acks;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.RefusedException;
import io.holdfast.api.UnreachableException;
import io.holdfast.client.Backoff;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The failures in a row of a subscription: how long to wait after each, and when the broker counts
 * as lost.
 *
 * <p>Thread: one.
 */
final class Failures {
  /** The refusals of a broker that is gone. */
  private static final Set<ErrorCode> GONE = EnumSet.of(ErrorCode.CLOSED, ErrorCode.SHARD_STOPPED);

  private final int limit;
  private final Backoff backoff;
  private final Duration longest;
  private @Nullable RuntimeException last;
  private boolean isNew;
  private int lost;

  Failures(AckClientConfig config) {
    this.limit = config.reconnectLimit();
    this.backoff = new Backoff(config.backoffMin(), config.backoffMax());
    this.longest = config.backoffMax();
  }

  void reset() {
    last = null;
    lost = 0;
    backoff.reset();
  }

  /** Counts a failure. Somebody who refuses is there: only no answer brings the limit nearer. */
  void count(RuntimeException failure) {
    RuntimeException before = last;
    isNew = before == null || !kind(before).equals(kind(failure));
    last = failure;
    lost = isGone(failure) ? lost + 1 : 0;
  }

  private static Object kind(RuntimeException failure) {
    return failure instanceof RefusedException refused ? refused.code() : failure.getClass();
  }

  private static boolean isGone(RuntimeException failure) {
    return failure instanceof UnreachableException
        || (failure instanceof RefusedException refused && GONE.contains(refused.code()));
  }

  /** Whether it is another one than before, and should be said. */
  boolean isNew() {
    return isNew;
  }

  /** Whether so many polls in a row found nobody that the broker counts as lost. */
  boolean isPastLimit() {
    return lost >= limit;
  }

  /** How long to wait after this failure; as long as may be if waiting does not mend it. */
  Duration next() {
    RuntimeException failure = last;
    boolean passes =
        failure == null
            || isGone(failure)
            || (failure instanceof RefusedException refused && refused.code().retryable());
    return passes ? backoff.next() : longest;
  }
}
