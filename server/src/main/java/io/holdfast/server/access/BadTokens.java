package io.holdfast.server.access;

import io.holdfast.api.TimeSource;
import io.holdfast.server.http.Problem;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The bad tokens that came of late, by address: each may show a few in a minute.
 *
 * <p>Only bad ones count, so that nobody can lock out somebody with a good one. Of the newer kind
 * of address 64 bits count: who has one has all that share them.
 *
 * <p>Thread: any.
 */
public final class BadTokens {
  /** Bad tokens of one address that are answered 401 in a minute. */
  static final int PER_MINUTE = 10;

  /** Addresses that are remembered; of more, the oldest is forgotten. */
  static final int ADDRESSES_MAX = 10_000;

  private static final long WINDOW_NANOS = 60_000_000_000L;
  private static final int NETWORK_BYTES = 8;

  /** What one more bad token means. */
  enum Verdict {
    /** The first in a while. */
    FIRST,
    FURTHER,
    /** The first beyond the limit. */
    LIMIT_REACHED,
    LIMITED
  }

  private static final class Window {
    private final long sinceNanos;
    private int count;

    private Window(long sinceNanos) {
      this.sinceNanos = sinceNanos;
    }
  }

  private final TimeSource time;
  private final Map<String, Window> windows = new LinkedHashMap<>();
  private final LongAdder refused = new LongAdder();
  private final LongAdder limited = new LongAdder();

  public BadTokens(TimeSource time) {
    this.time = time;
  }

  /** Counts one, tells of it where that is worth a line, and says what is answered to it. */
  Problem refusal(Caller stranger) {
    Verdict verdict = count(stranger.address());
    if (verdict == Verdict.FIRST) {
      Audit.of("login", stranger).result("UNAUTHENTICATED");
    } else if (verdict == Verdict.LIMIT_REACHED) {
      Audit.of("login", stranger).result("LIMITED");
    }
    return verdict == Verdict.LIMIT_REACHED || verdict == Verdict.LIMITED
        ? Problem.tooOften(
            "TOO_MANY_BAD_TOKENS",
            "too many bad tokens came from this address; one that is good is still taken",
            retryAfterSeconds(stranger.address()))
        : Problem.unauthenticated("the token is unknown, malformed, expired or revoked");
  }

  /** Counts one. */
  synchronized Verdict count(@Nullable SocketAddress address) {
    long now = time.nanos();
    forgetOver(now);
    String key = key(address);
    Window window = windows.get(key);
    if (window == null) {
      if (windows.size() >= ADDRESSES_MAX) {
        windows.remove(windows.keySet().iterator().next());
      }
      window = new Window(now);
      windows.put(key, window);
    }
    window.count++;
    boolean tooMany = window.count > PER_MINUTE;
    (tooMany ? limited : refused).increment();
    if (window.count == 1) {
      return Verdict.FIRST;
    }
    if (!tooMany) {
      return Verdict.FURTHER;
    }
    return window.count == PER_MINUTE + 1 ? Verdict.LIMIT_REACHED : Verdict.LIMITED;
  }

  /** They are in the order of their beginnings, and last equally long. */
  private void forgetOver(long now) {
    Iterator<Window> oldest = windows.values().iterator();
    while (oldest.hasNext() && now - oldest.next().sinceNanos >= WINDOW_NANOS) {
      oldest.remove();
    }
  }

  /** Seconds until an address may show another one. */
  synchronized int retryAfterSeconds(@Nullable SocketAddress address) {
    Window window = windows.get(key(address));
    long left = window == null ? 0 : WINDOW_NANOS - (time.nanos() - window.sinceNanos);
    return (int) Math.max(1, left / 1_000_000_000L + 1);
  }

  private static String key(@Nullable SocketAddress address) {
    if (!(address instanceof InetSocketAddress inet)) {
      return "unknown";
    }
    InetAddress host = inet.getAddress();
    byte[] bytes = host.getAddress();
    return Arrays.toString(
        host instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
  }

  /** Those that were answered 401. */
  public long refused() {
    return refused.sum();
  }

  /** Those that were answered 429. */
  public long limited() {
    return limited.sum();
  }

  synchronized int addresses() {
    return windows.size();
  }
}
