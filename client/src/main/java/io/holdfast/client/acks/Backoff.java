package io.holdfast.client.acks;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.RefusedException;
import io.holdfast.api.UnreachableException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Counts failures in a row, and says how long to wait after each.
 *
 * <p>Thread: one.
 */
final class Backoff {
  /** The refusals of a broker that is gone. */
  private static final Set<ErrorCode> GONE = EnumSet.of(ErrorCode.CLOSED, ErrorCode.SHARD_STOPPED);

  private final AckClientConfig config;
  private int failures;
  private int lost;

  Backoff(AckClientConfig config) {
    this.config = config;
  }

  void reset() {
    failures = 0;
    lost = 0;
  }

  /** Counts a failure. Somebody who refuses is there: only no answer brings the limit nearer. */
  void count(RuntimeException failure) {
    failures++;
    boolean gone =
        failure instanceof UnreachableException
            || (failure instanceof RefusedException refused && GONE.contains(refused.code()));
    lost = gone ? lost + 1 : 0;
  }

  boolean isFirst() {
    return failures == 1;
  }

  /** Whether so many polls in a row found nobody that the broker counts as lost. */
  boolean isPastLimit() {
    return lost >= config.reconnectLimit();
  }

  /** Half to all of a time that doubles with each failure, up to the longest. */
  long nextNanos() {
    long most = config.backoffMin().toNanos();
    long limit = config.backoffMax().toNanos();
    for (int i = 1; i < failures && most < limit; i++) {
      most *= 2;
    }
    most = Math.min(most, limit);
    return most - ThreadLocalRandom.current().nextLong(most / 2 + 1);
  }
}
