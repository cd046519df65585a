package io.holdfast.client.acks;

import static io.holdfast.client.Bounds.within;

import io.holdfast.api.Limits;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.lease.PopRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a subscription receives.
 *
 * @param subId its name, unique in its client; null for one the client makes
 * @param group the consumer group
 * @param partition the one partition it takes from; null for all of the queue
 * @param start where the group begins, if this subscription makes it
 * @param batch the most messages of one lease; 0 for as many as the client's ack batch size
 * @param lease how long a lease lasts; zero for the queue's {@code leaseTime}
 * @param backlog the most messages it holds that are not settled; at this many it takes no more
 * @param settleAtDelivery messages are settled when they are delivered, at most once: they have no
 *     bookmark and no lease, and are never acked
 */
public record SubscribeOptions(
    @Nullable String subId,
    String group,
    @Nullable String partition,
    StartFrom start,
    int batch,
    Duration lease,
    int backlog,
    boolean settleAtDelivery) {
  /** Most messages that a subscription may hold. */
  public static final int BACKLOG_MAX = 100_000;

  private static final int BACKLOG = 1_000;

  /** Longest sub id: it is a part of worker names. */
  private static final int SUB_ID_CHARS_MAX = 100;

  /** Of no group, of all partitions, with the queue's lease. */
  public static final SubscribeOptions DEFAULTS =
      new SubscribeOptions(
          null, PopRequest.QUEUE_MODE, null, StartFrom.ALL, 0, Duration.ZERO, BACKLOG, false);

  public SubscribeOptions {
    if (subId != null && (subId.isBlank() || subId.length() > SUB_ID_CHARS_MAX)) {
      throw new IllegalArgumentException(
          "subId: expected 1 to " + SUB_ID_CHARS_MAX + " characters, but got \"" + subId + "\"");
    }
    within("batch", batch, 0, Limits.BATCH_MAX);
    within("lease", lease.toMillis(), 0, Limits.LEASE_MS_MAX);
    within("backlog", backlog, 1, BACKLOG_MAX);
  }

  public static SubscribeOptions group(String name) {
    return new SubscribeOptions(
        null, name, null, DEFAULTS.start, DEFAULTS.batch, DEFAULTS.lease, DEFAULTS.backlog, false);
  }

  public SubscribeOptions subId(String name) {
    return new SubscribeOptions(
        name, group, partition, start, batch, lease, backlog, settleAtDelivery);
  }

  public SubscribeOptions partition(String name) {
    return new SubscribeOptions(subId, group, name, start, batch, lease, backlog, settleAtDelivery);
  }

  public SubscribeOptions start(StartFrom from) {
    return new SubscribeOptions(
        subId, group, partition, from, batch, lease, backlog, settleAtDelivery);
  }

  public SubscribeOptions batch(int count) {
    return new SubscribeOptions(
        subId, group, partition, start, count, lease, backlog, settleAtDelivery);
  }

  public SubscribeOptions lease(Duration time) {
    return new SubscribeOptions(
        subId, group, partition, start, batch, time, backlog, settleAtDelivery);
  }

  public SubscribeOptions backlog(int count) {
    return new SubscribeOptions(
        subId, group, partition, start, batch, lease, count, settleAtDelivery);
  }

  public SubscribeOptions settleAtDelivery(boolean on) {
    return new SubscribeOptions(subId, group, partition, start, batch, lease, backlog, on);
  }
}
