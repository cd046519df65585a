package io.holdfast.client.consume;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.Result;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.Settled;
import java.util.ArrayList;
import java.util.List;

/**
 * The settles of a worker that the broker has not answered yet.
 *
 * <p>Invariant: a settle stays here until its verdict came and was reported. One that was sent
 * again because an answer got lost, by this or by the broker's own retries, counts as done if it
 * had happened.
 *
 * <p>Thread: its worker; {@link #abandon} any.
 */
final class Outbox {
  private static final class Entry {
    final Settle settle;
    final int messages;

    /** The settle that took effect if the broker answers that this one is a repeat. */
    final Settle first;

    Entry(Settle settle, int messages, Settle first) {
      this.settle = settle;
      this.messages = messages;
      this.first = first;
    }
  }

  /** Settles that go to the broker together. */
  static final class Parcel {
    private final List<Entry> entries;

    private Parcel(List<Entry> entries) {
      this.entries = entries;
    }

    boolean isEmpty() {
      return entries.isEmpty();
    }

    List<Settle> settles() {
      return entries.stream().map(entry -> entry.settle).toList();
    }
  }

  private final Reports reports;
  private List<Entry> waiting = new ArrayList<>();

  Outbox(Reports reports) {
    this.reports = reports;
  }

  /**
   * Puts a settle in.
   *
   * @param messages how many messages it speaks of
   */
  synchronized void add(Settle settle, int messages) {
    waiting.add(new Entry(settle, messages, settle));
  }

  /** Puts in a settle of one message, of which an earlier one may have taken effect. */
  synchronized void add(Settle settle, HeldMessage message) {
    waiting.add(new Entry(settle, 1, message.firstOf(settle)));
  }

  synchronized boolean isEmpty() {
    return waiting.isEmpty();
  }

  synchronized int size() {
    return waiting.size();
  }

  /** What to send next, as much as one request may carry. */
  synchronized Parcel next() {
    return new Parcel(waiting.stream().limit(Limits.OPERATIONS_MAX).toList());
  }

  /** The broker has decided what was sent. */
  synchronized void answered(Parcel parcel, List<SettleVerdict> verdicts) {
    if (parcel.isEmpty() || waiting.isEmpty() || waiting.get(0) != parcel.entries.get(0)) {
      // Somebody took over meanwhile, who sends them again and reports.
      return;
    }
    for (int i = 0; i < verdicts.size(); i++) {
      report(waiting.get(i), verdicts.get(i));
    }
    waiting = new ArrayList<>(waiting.subList(verdicts.size(), waiting.size()));
  }

  private void report(Entry entry, SettleVerdict verdict) {
    // What was released is no longer held, so that a repeat finds a lease that is over.
    SettleVerdict.Status repeat =
        entry.first.outcome() == Settle.Outcome.RELEASE
            ? SettleVerdict.Status.STALE_LEASE
            : SettleVerdict.Status.ALREADY_SETTLED;
    if (verdict.status() == repeat) {
      reports.settledBefore(entry.first, entry.messages);
    } else {
      reports.settled(entry.settle, verdict, entry.messages);
    }
  }

  /**
   * Sends all there is, and reports what the broker says.
   *
   * @throws RuntimeException if the broker could not be asked or refused the request; what was not
   *     answered stays here
   */
  void send(Broker broker) {
    Parcel parcel = next();
    while (!parcel.isEmpty()) {
      Result<Settled> result = broker.settle(SettleRequest.of(parcel.settles()));
      answered(parcel, result.orThrow().verdicts());
      parcel = next();
    }
  }

  /** Takes everything out, for somebody else to send, perhaps once more. */
  synchronized Outbox abandon() {
    Outbox rest = new Outbox(reports);
    rest.waiting.addAll(waiting);
    waiting = new ArrayList<>();
    return rest;
  }
}
