package io.holdfast.client.produce;

import static io.holdfast.client.Bounds.within;

import io.holdfast.api.Limits;
import java.time.Duration;

/**
 * How a {@link PushBuffer} works.
 *
 * @param count a batch is sent when it has so many messages
 * @param linger or when its first message has waited so long
 * @param capacity most messages that are not answered yet; a push beyond it waits
 * @param capacityBytes most bytes of their payloads, likewise
 * @param inFlight most batches on their way at a time; more than one gives up the order
 * @param retryFor how long after its first message came a batch is tried again; then it has failed
 */
public record BufferOptions(
    int count, Duration linger, int capacity, long capacityBytes, int inFlight, Duration retryFor) {
  private static final int CAPACITY_MIN = 10_000;
  private static final long CAPACITY_BYTES = 32L << 20;
  private static final Duration RETRY_FOR = Duration.ofMinutes(2);
  private static final int IN_FLIGHT_MAX = 64;

  public BufferOptions {
    within("count", count, 1, Limits.BATCH_MAX);
    within("capacity", capacity, count, Integer.MAX_VALUE);
    within("capacityBytes", capacityBytes, 1, Long.MAX_VALUE);
    within("inFlight", inFlight, 1, IN_FLIGHT_MAX);
    within("linger (ms)", linger.toMillis(), 0, Limits.WAIT_MS_MAX);
    within("retryFor (ms)", retryFor.toMillis(), 0, Limits.DURATION_MS_MAX / 1000);
  }

  /** Sent at so many messages or after so long; one batch in flight, so that order is kept. */
  public static BufferOptions of(int count, Duration linger) {
    return new BufferOptions(
        count, linger, Math.max(CAPACITY_MIN, count), CAPACITY_BYTES, 1, RETRY_FOR);
  }

  public BufferOptions capacity(int messages) {
    return new BufferOptions(count, linger, messages, capacityBytes, inFlight, retryFor);
  }

  public BufferOptions capacityBytes(long bytes) {
    return new BufferOptions(count, linger, capacity, bytes, inFlight, retryFor);
  }

  public BufferOptions inFlight(int batches) {
    return new BufferOptions(count, linger, capacity, capacityBytes, batches, retryFor);
  }

  public BufferOptions retryFor(Duration time) {
    return new BufferOptions(count, linger, capacity, capacityBytes, inFlight, time);
  }
}
