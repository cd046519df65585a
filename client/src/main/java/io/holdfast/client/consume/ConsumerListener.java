package io.holdfast.client.consume;

import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleVerdict;
import java.time.Duration;

/**
 * Whoever wants to know what consumers do, for metrics and logs.
 *
 * <p>It is called by the consumer's own threads, so it must be short. What it throws is logged and
 * changes nothing.
 *
 * <p>Thread: any, several at a time.
 */
public interface ConsumerListener {
  /** Messages came. */
  default void delivered(ConsumerId consumer, int messages) {}

  /** A call of the handler ended, one way or the other. */
  default void handled(ConsumerId consumer, int messages, Duration took, boolean succeeded) {}

  /** The broker knows messages as done. */
  default void acked(ConsumerId consumer, int messages) {}

  /** The broker knows a message as failed; it died of it, or will be retried. */
  default void nacked(ConsumerId consumer, boolean dead) {}

  /** Messages were given back, uncharged. */
  default void released(ConsumerId consumer, int messages) {}

  /**
   * The broker refused a settle: its lease was over, or the message was cancelled.
   *
   * @param messages how many messages the settle spoke of
   */
  default void refused(ConsumerId consumer, Settle settle, SettleVerdict verdict, int messages) {}

  /** A lease ended while its messages were being handled; they will be delivered again. */
  default void leaseLost(ConsumerId consumer, String leaseId, int messages) {}

  /**
   * The broker could not be asked, or did not take the request; the consumer asks again.
   *
   * @param cause an {@link io.holdfast.api.UnreachableException} or a {@link
   *     io.holdfast.api.RefusedException}
   */
  default void retrying(ConsumerId consumer, RuntimeException cause, Duration after) {}

  /** The consumer had to end before the broker answered these settles; their leases will tell. */
  default void unsent(ConsumerId consumer, int settles) {}
}
