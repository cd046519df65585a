package io.holdfast.engine.logic;

import io.holdfast.api.lease.PopSource;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueueOptions;

/** A queue's options in the units and types that the handlers use. */
public final class Rules {
  public final QueueOptions options;
  final boolean ordered;
  public final boolean blocks;
  final long leaseMs;
  final long retryLimit;
  final long deliveryLimit;
  final boolean keepsDead;
  final long deadRetentionMs;
  public final long delayMs;
  public final long windowMs;
  final long dedupMs;
  final long maxSize;

  /** How long after it entered a lane a message is dropped, settled or not; 0 for never. */
  final long droppedAfterMs;

  final long maxWaitMs;
  final long completedMs;
  public final long maxInFlight;
  final boolean requireLease;
  final boolean track;
  final boolean encrypts;

  /** The namespace and the task, by which pops may ask for the queue. */
  final PopSource.Tagged tags;

  Rules(QueueOptions options) {
    this.options = options;
    ordered = options.text(QueueOption.DELIVERY).equals("ordered");
    blocks = ordered && options.text(QueueOption.ON_FAILURE).equals("block");
    leaseMs = seconds(QueueOption.LEASE_TIME);
    retryLimit = options.number(QueueOption.RETRY_LIMIT);
    deliveryLimit = options.number(QueueOption.DELIVERY_LIMIT);
    keepsDead =
        options.flag(QueueOption.DEAD_LETTER_QUEUE)
            || options.flag(QueueOption.DLQ_AFTER_MAX_RETRIES);
    deadRetentionMs = seconds(QueueOption.DEAD_RETENTION);
    delayMs = seconds(QueueOption.DELAYED_PROCESSING);
    windowMs = seconds(QueueOption.WINDOW_BUFFER);
    dedupMs = seconds(QueueOption.DEDUP_WINDOW);
    maxSize = options.number(QueueOption.MAX_SIZE);
    droppedAfterMs = droppedAfterMs(seconds(QueueOption.TTL), seconds(QueueOption.RETENTION));
    maxWaitMs = seconds(QueueOption.MAX_WAIT_TIME);
    completedMs = seconds(QueueOption.COMPLETED_RETENTION);
    maxInFlight = options.number(QueueOption.MAX_IN_FLIGHT);
    requireLease = options.flag(QueueOption.REQUIRE_LEASE);
    track = options.flag(QueueOption.TRACK);
    encrypts = options.flag(QueueOption.ENCRYPTION);
    tags =
        new PopSource.Tagged(options.text(QueueOption.NAMESPACE), options.text(QueueOption.TASK));
  }

  private long seconds(QueueOption option) {
    return options.number(option) * 1000;
  }

  private static long droppedAfterMs(long ttlMs, long retentionMs) {
    return ttlMs == 0 || retentionMs == 0
        ? Math.max(ttlMs, retentionMs)
        : Math.min(ttlMs, retentionMs);
  }

  /** How long a message waits after its nth failure. */
  long backoffMs(int failures, long index, long seq) {
    double delay = (double) options.number(QueueOption.RETRY_DELAY);
    long most = options.number(QueueOption.RETRY_DELAY_MAX);
    long factor = options.number(QueueOption.RETRY_FACTOR);
    for (int i = 1; i < failures && delay < (double) most; i++) {
      delay *= (double) factor;
    }
    long wait = (long) Math.min(delay, (double) most);
    if (options.flag(QueueOption.RETRY_JITTER) && wait > 1) {
      long half = wait / 2;
      return half + Long.remainderUnsigned(mix(mix(index) + seq), wait - half + 1);
    }
    return wait;
  }

  /**
   * Spreads numbers over all 64-bit numbers (the finalizer of MurmurHash3). Jitter is made of it
   * and not of a stamp's random bits: everybody sees when a message is retried, and nobody must
   * learn from that what the ids of leases are made of.
   */
  private static long mix(long number) {
    long mixed = (number ^ (number >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ (mixed >>> 33);
  }

  /** Whether what entered a lane then is too old to be delivered. */
  boolean isDropped(long enteredMs, long nowMs) {
    return droppedAfterMs > 0 && enteredMs + droppedAfterMs <= nowMs;
  }

  /** When what entered a lane then, and is not delivered, is dropped or buried. */
  long droppedAtMs(long enteredMs) {
    long dropped = droppedAfterMs > 0 ? enteredMs + droppedAfterMs : Long.MAX_VALUE;
    return maxWaitMs > 0 ? Math.min(dropped, enteredMs + maxWaitMs) : dropped;
  }

  /** Whether what entered a lane then has waited too long for its first delivery. */
  boolean waitedTooLong(long enteredMs, long nowMs) {
    return maxWaitMs > 0 && enteredMs + maxWaitMs <= nowMs;
  }
}
