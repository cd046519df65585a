package io.holdfast.client.tasks;

import java.time.Duration;

/**
 * How often and when a task that failed is tried again.
 *
 * @param maxRetries tries after the first; a failure more and the task is dead
 * @param initialBackoff from the first failure to the first retry
 * @param maxBackoff the longest wait
 * @param factor each further wait is so many times longer; a whole number, because the broker keeps
 *     it as one
 */
public record RetryConfig(
    int maxRetries, Duration initialBackoff, Duration maxBackoff, double factor) {
  private static final int RETRIES_MAX = 1_000_000;
  private static final Duration INITIAL_MAX = Duration.ofDays(1);
  private static final Duration BACKOFF_MAX = Duration.ofDays(30);
  private static final int FACTOR_MAX = 100;

  /** 3 retries, after 1, 2 and 4 seconds. */
  public static final RetryConfig DEFAULTS =
      new RetryConfig(3, Duration.ofSeconds(1), Duration.ofSeconds(30), 2.0);

  public RetryConfig {
    if (maxRetries < 0 || maxRetries > RETRIES_MAX) {
      throw new IllegalArgumentException(
          "maxRetries: expected 0 to " + RETRIES_MAX + ", but got " + maxRetries);
    }
    within("initialBackoff", initialBackoff, INITIAL_MAX);
    within("maxBackoff", maxBackoff, BACKOFF_MAX);
    if (!(factor >= 1 && factor <= FACTOR_MAX) || factor != Math.rint(factor)) {
      throw new IllegalArgumentException(
          "factor: expected a whole number from 1 to "
              + FACTOR_MAX
              + ", because the broker keeps it as one, but got "
              + factor);
    }
  }

  private static void within(String field, Duration value, Duration max) {
    if (value.isNegative() || value.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          field + ": expected 0 to " + max.toDays() + " days, but got " + value);
    }
  }

  public RetryConfig maxRetries(int count) {
    return new RetryConfig(count, initialBackoff, maxBackoff, factor);
  }

  public RetryConfig initialBackoff(Duration wait) {
    return new RetryConfig(maxRetries, wait, maxBackoff, factor);
  }

  public RetryConfig maxBackoff(Duration wait) {
    return new RetryConfig(maxRetries, initialBackoff, wait, factor);
  }

  public RetryConfig factor(double times) {
    return new RetryConfig(maxRetries, initialBackoff, maxBackoff, times);
  }

  /** How long a task waits after so many failures: the initial backoff after the first. */
  public Duration backoff(int failures) {
    if (failures < 1) {
      return Duration.ZERO;
    }
    double most = maxBackoff.toMillis();
    double wait = initialBackoff.toMillis() * Math.pow(factor, failures - 1);
    return Duration.ofMillis((long) Math.min(wait, most));
  }
}
