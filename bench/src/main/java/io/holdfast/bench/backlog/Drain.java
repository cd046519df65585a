package io.holdfast.bench.backlog;

import io.holdfast.api.Broker;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.bench.Callers;
import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.Deliveries;
import io.holdfast.bench.Report;

/** Pops and acks of a pile until nothing is left of it. */
final class Drain {
  private static final int BATCH = 1_000;

  private Drain() {}

  /**
   * Empties a pile and checks that every message came once and in order; answers how many per
   * second.
   *
   * @param deliveries what was delivered before
   * @param left how many messages are left
   */
  static double run(Broker broker, Pile pile, Deliveries deliveries, long left, Report report)
      throws InterruptedException {
    long start = System.nanoTime();
    Callers callers =
        Callers.start(
            Pile.PARTITIONS,
            partition ->
                () -> {
                  Popped popped =
                      broker
                          .pop(PopRequest.partition(pile.queue(), "p" + partition).batch(BATCH))
                          .orThrow();
                  if (popped.isEmpty()) {
                    return Callers.Work.DONE;
                  }
                  popped.messages().forEach(delivery -> deliveries.note(delivery.message()));
                  SettleRequest ack = SettleRequest.of(Settle.ackAll(popped.leaseId()));
                  int acked = broker.settle(ack).orThrow().verdicts().getFirst().count();
                  CheckFailedException.expectEqual("acked", popped.messages().size(), acked);
                  return acked;
                });
    Pile.awaitWithProgress(callers, left, "drained from " + pile.queue(), report);
    double rate = Callers.perSecond(left, System.nanoTime() - start);
    for (int i = 0; i < Pile.PARTITIONS; i++) {
      deliveries.verify(i, pile.pushed(i));
    }
    return rate;
  }
}
