package io.holdfast.bench.backlog;

import io.holdfast.api.Broker;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.bench.Callers;
import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.Deliveries;
import io.holdfast.bench.Latencies;
import java.util.List;

/**
 * A push of a batch and a pop of a batch in turn, so that a pile stays as large as it is. Each pop
 * carries the acks of the one before; only pops are timed.
 */
final class TurnTaking {
  private static final int BATCH = 100;

  private final Broker broker;
  private final Pile pile;
  private final Deliveries deliveries;
  private String lease = "";
  private int holding;

  TurnTaking(Broker broker, Pile pile, Deliveries deliveries) {
    this.broker = broker;
    this.pile = pile;
    this.deliveries = deliveries;
  }

  /**
   * How fast pops were.
   *
   * @param rate messages popped and acked for each second spent in pops
   */
  record Speed(double rate, double p50Ms, double p99Ms) {}

  /** Takes turns for a time, the first third of which is not measured, and acks the rest. */
  Speed run(long millis) {
    turns(millis / 3, new Latencies());
    Latencies latencies = new Latencies();
    long acked = turns(millis - millis / 3, latencies);
    Speed speed =
        new Speed(
            Callers.perSecond(acked, latencies.sumNanos()),
            latencies.percentileMs(0.5),
            latencies.percentileMs(0.99));
    if (holding > 0) {
      SettleRequest rest = SettleRequest.of(Settle.ackAll(lease));
      ack(broker.settle(rest).orThrow().verdicts());
      holding = 0;
    }
    return speed;
  }

  private long turns(long millis, Latencies latencies) {
    long end = System.nanoTime() + millis * 1_000_000;
    long acked = 0;
    for (int turn = 0; System.nanoTime() < end; turn++) {
      pile.push(broker, turn % Pile.PARTITIONS, BATCH, 0);
      List<Settle> acks = holding == 0 ? List.of() : List.of(Settle.ackAll(lease));
      PopRequest pop = PopRequest.queue(pile.queue()).batch(BATCH).settles(acks);
      long start = System.nanoTime();
      Popped popped = broker.pop(pop).orThrow();
      latencies.add(System.nanoTime() - start);
      acked += ack(popped.settled());
      for (Delivery delivery : popped.messages()) {
        deliveries.note(delivery.message());
      }
      lease = popped.leaseId();
      holding = popped.messages().size();
    }
    return acked;
  }

  private long ack(List<SettleVerdict> verdicts) {
    for (SettleVerdict verdict : verdicts) {
      CheckFailedException.expectEqual("acked messages", holding, verdict.count());
    }
    return verdicts.isEmpty() ? 0 : holding;
  }
}
