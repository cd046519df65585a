package io.holdfast.bench.engine;

import io.holdfast.api.Broker;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.Deliveries;
import java.util.List;

/**
 * One consumer that pops batches and acks each message.
 *
 * <p>Thread: one at a time.
 */
final class Consumer {
  private final Broker broker;
  private final PopRequest pop;
  private final Deliveries deliveries;
  private String held = "";
  private int holding;

  Consumer(Broker broker, PopRequest pop, Deliveries deliveries) {
    this.broker = broker;
    this.pop = pop;
    this.deliveries = deliveries;
  }

  /** Whether nothing is held. */
  boolean idle() {
    return holding == 0;
  }

  /** Acks what is held and pops more, in one step; answers how many acks were confirmed. */
  long ackAndPop() {
    List<Settle> acks = idle() ? List.of() : List.of(Settle.ackAll(held));
    Popped popped = broker.pop(pop.settles(acks)).orThrow();
    CheckFailedException.expectEqual("verdicts of a pop", acks.size(), popped.settled().size());
    for (SettleVerdict verdict : popped.settled()) {
      expectAcked(verdict, holding);
    }
    long acked = holding;
    take(popped);
    return acked;
  }

  /** Pops, then acks each message by its handle, in two steps; answers how many were acked. */
  long popThenSettle() {
    Popped popped = broker.pop(pop).orThrow();
    take(popped);
    if (idle()) {
      return 0;
    }
    List<Settle> acks =
        popped.messages().stream().map(delivery -> Settle.ack(delivery.handle())).toList();
    List<SettleVerdict> verdicts = broker.settle(SettleRequest.of(acks)).orThrow().verdicts();
    CheckFailedException.expectEqual("verdicts of a settle", acks.size(), verdicts.size());
    verdicts.forEach(verdict -> expectAcked(verdict, 1));
    holding = 0;
    return acks.size();
  }

  private void take(Popped popped) {
    for (Delivery delivery : popped.messages()) {
      deliveries.note(delivery.message());
    }
    held = popped.leaseId();
    holding = popped.messages().size();
  }

  private static void expectAcked(SettleVerdict verdict, int count) {
    if (verdict.status() != SettleVerdict.Status.ACKED || verdict.count() != count) {
      throw new CheckFailedException("expected " + count + " acked, but got " + verdict);
    }
  }
}
