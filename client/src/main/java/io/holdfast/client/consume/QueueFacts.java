package io.holdfast.client.consume;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.RefusedException;
import io.holdfast.api.Result;
import io.holdfast.api.TimeSource;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueueOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The options of a queue that its consumer must know, looked up now and then.
 *
 * <p>Thread: any.
 */
final class QueueFacts {
  private static final long FRESH_NANOS = Duration.ofMinutes(1).toNanos();

  private final Broker broker;
  private final TimeSource time;
  private final String queue;
  private @Nullable QueueOptions known;
  private long knownNanos;

  QueueFacts(Broker broker, TimeSource time, String queue) {
    this.broker = broker;
    this.time = time;
    this.queue = queue;
  }

  /** The queue's length of a lease. The consumer names it in its pops: so it knows for sure. */
  long leaseMs() {
    return Duration.ofSeconds(options().number(QueueOption.LEASE_TIME)).toMillis();
  }

  /** Whether a partition is leased to one consumer at a time. */
  boolean isOrdered() {
    return options().text(QueueOption.DELIVERY).equals("ordered");
  }

  /** Whether a message that failed holds up those behind it in its partition. */
  boolean failureBlocks() {
    return isOrdered() && options().text(QueueOption.ON_FAILURE).equals("block");
  }

  /**
   * The options, at most a minute old.
   *
   * @throws RuntimeException if the broker cannot say, and never could
   */
  private synchronized QueueOptions options() {
    QueueOptions options = known;
    if (options == null || time.nanos() - knownNanos > FRESH_NANOS) {
      options = look(options);
      known = options;
      knownNanos = time.nanos();
    }
    return options;
  }

  private QueueOptions look(@Nullable QueueOptions before) {
    try {
      Result<QueueInfo> info = broker.queue(queue);
      if (info.isOk()) {
        return info.orThrow().options();
      }
      if (info.refusal().code() == ErrorCode.NOT_FOUND) {
        // The first pop will make it.
        return QueueOptions.DEFAULTS;
      }
      throw new RefusedException(info.refusal());
    } catch (RuntimeException failed) {
      if (before == null) {
        throw failed;
      }
      return before;
    }
  }
}
