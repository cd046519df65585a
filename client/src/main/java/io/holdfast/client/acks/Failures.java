package io.holdfast.client.acks;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.RefusedException;
import io.holdfast.api.UnreachableException;
import io.holdfast.client.Backoff;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

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
  private int count;
  private int lost;

  Failures(AckClientConfig config) {
    this.limit = config.reconnectLimit();
    this.backoff = new Backoff(config.backoffMin(), config.backoffMax());
  }

  void reset() {
    count = 0;
    lost = 0;
    backoff.reset();
  }

  /** Counts a failure. Somebody who refuses is there: only no answer brings the limit nearer. */
  void count(RuntimeException failure) {
    count++;
    boolean gone =
        failure instanceof UnreachableException
            || (failure instanceof RefusedException refused && GONE.contains(refused.code()));
    lost = gone ? lost + 1 : 0;
  }

  boolean isFirst() {
    return count == 1;
  }

  /** Whether so many polls in a row found nobody that the broker counts as lost. */
  boolean isPastLimit() {
    return lost >= limit;
  }

  /** How long to wait after this failure. */
  Duration next() {
    return backoff.next();
  }
}
