package io.holdfast.client.consume;

import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleVerdict;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what a consumer does, and tells its listeners.
 *
 * <p>Thread: any.
 */
final class Reports {
  private static final Logger LOG = LoggerFactory.getLogger(Consumer.class);

  /** Something to tell a listener. */
  private interface News {
    void tell(ConsumerListener listener);
  }

  private final ConsumerId id;
  private final List<ConsumerListener> listeners;
  private final LongAdder delivered = new LongAdder();
  private final LongAdder acked = new LongAdder();
  private final LongAdder nacked = new LongAdder();
  private final LongAdder dead = new LongAdder();
  private final LongAdder released = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder leasesLost = new LongAdder();
  private final LongAdder handlerFailures = new LongAdder();
  private final LongAdder retries = new LongAdder();
  private final LongAdder unsent = new LongAdder();

  Reports(ConsumerId id, List<ConsumerListener> listeners) {
    this.id = id;
    this.listeners = List.copyOf(listeners);
  }

  ConsumerId id() {
    return id;
  }

  ConsumerCounts counts() {
    return new ConsumerCounts(
        delivered.sum(),
        acked.sum(),
        nacked.sum(),
        dead.sum(),
        released.sum(),
        refused.sum(),
        leasesLost.sum(),
        handlerFailures.sum(),
        retries.sum(),
        unsent.sum());
  }

  private void tell(News news) {
    for (ConsumerListener listener : listeners) {
      try {
        news.tell(listener);
      } catch (RuntimeException failed) {
        LOG.error("A listener of the consumer of queue {} failed.", id.queue(), failed);
      }
    }
  }

  void delivered(int messages) {
    if (messages > 0) {
      delivered.add(messages);
      tell(listener -> listener.delivered(id, messages));
    }
  }

  void handled(int messages, Duration took, boolean succeeded) {
    if (!succeeded) {
      handlerFailures.increment();
    }
    tell(listener -> listener.handled(id, messages, took, succeeded));
  }

  /** A settle was decided. */
  void settled(Settle settle, SettleVerdict verdict, int messages) {
    switch (verdict.status()) {
      case ACKED -> acked(verdict.count());
      case RETRYING, DEAD, DROPPED -> {
        nacked(verdict.status() != SettleVerdict.Status.RETRYING);
        released(verdict.count() - 1);
      }
      case RELEASED -> released(verdict.count());
      case ALREADY_SETTLED -> {}
      case STALE_LEASE, NOT_FOUND, CANCELLED, LEASE_REQUIRED, NOT_APPLIED ->
          refused(settle, verdict, messages);
    }
  }

  /** A settle was sent before, and its answer got lost: it has happened. */
  void settledBefore(Settle settle, int messages) {
    switch (settle.outcome()) {
      case ACK -> acked(messages);
      case NACK, KILL -> {
        nacked(settle.outcome() == Settle.Outcome.KILL);
        released(messages - 1);
      }
      case RELEASE -> released(messages);
    }
  }

  private void acked(int messages) {
    acked.add(messages);
    tell(listener -> listener.acked(id, messages));
  }

  private void nacked(boolean died) {
    nacked.increment();
    if (died) {
      dead.increment();
    }
    tell(listener -> listener.nacked(id, died));
  }

  private void released(int messages) {
    if (messages > 0) {
      released.add(messages);
      tell(listener -> listener.released(id, messages));
    }
  }

  private void refused(Settle settle, SettleVerdict verdict, int messages) {
    refused.increment();
    LOG.warn(
        "The broker refused to {} {} messages of queue {}: {}.",
        settle.outcome(),
        messages,
        id.queue(),
        verdict.status());
    tell(listener -> listener.refused(id, settle, verdict, messages));
  }

  void leaseLost(String leaseId, int messages) {
    leasesLost.increment();
    LOG.warn("A lease on {} messages of queue {} was lost.", messages, id.queue());
    tell(listener -> listener.leaseLost(id, leaseId, messages));
  }

  void retrying(RuntimeException cause, Duration after) {
    retries.increment();
    LOG.warn(
        "The broker did not answer the consumer of queue {}, which asks again in {} ms: {}",
        id.queue(),
        after.toMillis(),
        cause.toString());
    tell(listener -> listener.retrying(id, cause, after));
  }

  void unsent(int settles, RuntimeException cause) {
    if (settles == 0) {
      return;
    }
    unsent.add(settles);
    LOG.warn(
        "The consumer of queue {} ended before the broker answered {} settles: {}",
        id.queue(),
        settles,
        cause.toString());
    tell(listener -> listener.unsent(id, settles));
  }
}
