package io.holdfast.client;

import io.holdfast.api.message.Position;
import java.time.Duration;
import java.util.List;

/**
 * A lease that {@link LeaseRenewals} keeps alive while its messages are handled.
 *
 * <p>Thread: any.
 */
public interface RenewableLease {
  String leaseId();

  /** The length that each renewal asks for. */
  Duration length();

  /** When the lease ends by this process's clock, unless it is renewed. */
  long endNanos();

  /** Whether a handler still works on its messages. */
  boolean isWanted();

  /**
   * The broker renewed the lease. Ignored if the lease had ended by then.
   *
   * @param cancelled messages that were taken out of the lease
   */
  void renewed(long untilNanos, List<Position> cancelled);

  /** A renewal failed, and is tried again after a while. */
  void retrying(RuntimeException cause, Duration after);

  /**
   * The lease ended while it was wanted: stops the handler. It runs on the timer's thread, so it
   * must be short.
   *
   * @return how many messages were lost; 0 if the lease was not wanted any more
   */
  int lose();

  /** Reports a lost lease; called once, after {@link #lose}. */
  void reportLost(int messages);
}
