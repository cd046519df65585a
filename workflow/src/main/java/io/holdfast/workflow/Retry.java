package io.holdfast.workflow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How often and when a failed activity is tried again.
 *
 * <p>The broker keeps failed attempts with the message; the history of the flow holds only how it
 * ended.
 *
 * @param attempts how often it is tried in all
 * @param firstMs how long to wait after the first failure
 * @param factor each further wait is this many times longer
 * @param maxMs the longest wait
 * @param timeoutMs how long one attempt may take; 0 for any time
 * @param unless exceptions after which it is not tried again, by the names of their classes
 */
public record Retry(
    int attempts, long firstMs, int factor, long maxMs, long timeoutMs, List<String> unless) {
  /** One attempt only. */
  public static final Retry NONE = new Retry(1, 0, 1, 0, 0, List.of());

  private static final long FIRST_MS = 100;
  private static final long MAX_MS = 30_000;

  public Retry {
    if (attempts < 1) {
      throw new IllegalArgumentException("attempts: expected 1 or more, but got " + attempts);
    }
    if (firstMs < 0 || maxMs < 0 || timeoutMs < 0) {
      throw new IllegalArgumentException("a time: expected 0 or more");
    }
    if (factor < 1 || factor > 100) {
      throw new IllegalArgumentException("factor: expected 1 to 100, but got " + factor);
    }
    unless = List.copyOf(unless);
  }

  /** So many attempts in all; 100 ms after the first failure, then twice as long each time. */
  public static Retry times(int attempts) {
    return new Retry(attempts, FIRST_MS, 2, MAX_MS, 0, List.of());
  }

  /** Waits this long after the first failure, and twice as long each further time. */
  public Retry backoff(Duration first) {
    return new Retry(attempts, first.toMillis(), factor, maxMs, timeoutMs, unless);
  }

  public Retry backoff(Duration first, int times, Duration max) {
    return new Retry(attempts, first.toMillis(), times, max.toMillis(), timeoutMs, unless);
  }

  /** Always waits this long. */
  public Retry every(Duration wait) {
    return new Retry(attempts, wait.toMillis(), 1, wait.toMillis(), timeoutMs, unless);
  }

  /** An attempt that takes longer is interrupted, and counts as failed. */
  public Retry timeout(Duration attempt) {
    return new Retry(attempts, firstMs, factor, maxMs, attempt.toMillis(), unless);
  }

  /** Does not try again after such an exception. */
  public Retry unless(Class<? extends Throwable> exception) {
    List<String> more = new ArrayList<>(unless);
    more.add(exception.getName());
    return new Retry(attempts, firstMs, factor, maxMs, timeoutMs, more);
  }

  /** How long to wait after so many failures. */
  public long waitMs(int failures) {
    double wait = (double) firstMs * Math.pow(factor, Math.max(0, failures - 1));
    return (long) Math.min(wait, (double) maxMs);
  }
}
