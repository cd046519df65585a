package io.holdfast.client.consume;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Extended;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settles one message at once, for applications that do it by hand.
 *
 * <p>Thread: any.
 */
final class Settling {
  private final Broker broker;
  private final TimeSource time;
  private final Reports reports;

  Settling(Broker broker, TimeSource time, Reports reports) {
    this.broker = broker;
    this.time = time;
    this.reports = reports;
  }

  ConsumerId id() {
    return reports.id();
  }

  /**
   * Settles it.
   *
   * @param first the settle that took effect if the message is settled already, because its answer
   *     got lost; null if that was reported
   */
  SettleVerdict now(Settle settle, @Nullable Settle first) {
    SettleVerdict verdict = broker.settle(SettleRequest.of(settle)).orThrow().verdicts().get(0);
    if (first != null && verdict.status() == SettleVerdict.Status.ALREADY_SETTLED) {
      reports.settledBefore(first, 1);
    } else {
      decided(settle, verdict);
    }
    return verdict;
  }

  void decided(Settle settle, SettleVerdict verdict) {
    reports.settled(settle, verdict, 1);
  }

  void extend(HeldLease lease, Duration length) {
    long asked = time.nanos();
    Extended extended = broker.extend(ExtendRequest.of(lease.id, length.toMillis())).orThrow();
    lease.extendTo(asked + length.toNanos());
    lease.cancelled(extended.cancelled());
  }
}
