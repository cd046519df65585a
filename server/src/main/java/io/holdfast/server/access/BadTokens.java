package io.holdfast.server.access;

import io.holdfast.api.TimeSource;
import io.holdfast.server.http.Problem;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts bad tokens, and logs the first one of an address in a minute, so that nobody can fill the
 * log with them. A token has 256 random bits: trying them out needs no other limit.
 *
 * <p>Thread: any.
 */
public final class BadTokens {
  /** Addresses that are remembered; of more, the oldest is forgotten. */
  static final int ADDRESSES_MAX = 10_000;

  private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final TimeSource time;
  private final Map<String, Long> logged = new LinkedHashMap<>();
  private final LongAdder refused = new LongAdder();

  public BadTokens(TimeSource time) {
    this.time = time;
  }

  /** Counts one, and answers what its caller is told. */
  Problem refusal(Caller stranger) {
    refused.increment();
    if (isWorthALine(stranger.from())) {
      Audit.of("login", stranger).result("UNAUTHENTICATED");
    }
    return Problem.unauthenticated("the token is unknown, malformed, expired or revoked");
  }

  synchronized boolean isWorthALine(String address) {
    long now = time.nanos();
    // They are in the order in which they were logged.
    Iterator<Long> oldest = logged.values().iterator();
    while (oldest.hasNext() && now - oldest.next() >= QUIET_NANOS) {
      oldest.remove();
    }
    if (logged.containsKey(address)) {
      return false;
    }
    if (logged.size() >= ADDRESSES_MAX) {
      logged.remove(logged.keySet().iterator().next());
    }
    logged.put(address, now);
    return true;
  }

  /** How many there were. */
  public long refused() {
    return refused.sum();
  }

  synchronized int addresses() {
    return logged.size();
  }
}
