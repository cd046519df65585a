package io.holdfast.bench.engine;

import io.holdfast.api.lease.PopRequest;
import io.holdfast.bench.Callers;
import io.holdfast.bench.Deliveries;
import io.holdfast.engine.EmbeddedBroker;

/**
 * A prepared backlog that is popped and acked to its end.
 *
 * <p>Ordered partitions have one lease at a time, so there is one for each consumer; shared
 * delivery needs only one for all.
 */
final class DrainBench implements EngineBench {
  private static final int CONSUMERS = 16;
  private static final int BATCH = 100;
  private static final int FILL_BATCH = 1_000;

  /** The part of the backlog whose drain warms up, as one of so many. */
  private static final int WARM_UP_PART = 5;

  private final String name;
  private final boolean shared;
  private final boolean carried;

  /**
   * @param carried whether a pop carries the acks of the batch before it; otherwise a settle does
   */
  DrainBench(String name, boolean shared, boolean carried) {
    this.name = name;
    this.shared = shared;
    this.carried = carried;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Measured run(Setting setting) throws InterruptedException {
    try (EmbeddedBroker broker = setting.open(name, shared ? "shared" : "ordered")) {
      int partitions = shared ? 1 : CONSUMERS;
      long[] filled = fill(broker, partitions, setting);
      long backlog = sum(filled);
      Deliveries deliveries = new Deliveries(partitions, !shared);
      Callers load = Callers.start(CONSUMERS, caller -> drain(broker, deliveries));
      load.awaitAcknowledged(backlog / WARM_UP_PART);
      long before = load.acknowledged();
      long start = System.nanoTime();
      load.awaitAcknowledged(backlog);
      double rate = Callers.perSecond(load.acknowledged() - before, System.nanoTime() - start);
      load.join();
      for (int i = 0; i < partitions; i++) {
        deliveries.verify(i, filled[i]);
      }
      return Measured.messages(rate, note(partitions));
    }
  }

  private String note(int partitions) {
    return CONSUMERS
        + " consumers, "
        + (shared ? "1 shared partition" : partitions + " partitions")
        + (carried ? ", pop carries the acks" : ", pop and settle, an ack each");
  }

  /** Pushes for as long as will be measured; answers how many messages each partition holds. */
  private static long[] fill(EmbeddedBroker broker, int partitions, Setting setting)
      throws InterruptedException {
    long[] filled = new long[partitions];
    Callers load =
        Callers.start(
            partitions,
            partition -> {
              Producer producer = new Producer(broker, FILL_BATCH, false);
              return () -> {
                long pushed = producer.push("p" + partition, partition, filled[partition]);
                filled[partition] += pushed;
                return pushed;
              };
            });
    load.await(setting.measuredMs());
    load.stop();
    load.join();
    return filled;
  }

  private Callers.Work drain(EmbeddedBroker broker, Deliveries deliveries) {
    Consumer consumer =
        new Consumer(broker, PopRequest.queue(Setting.QUEUE).batch(BATCH), deliveries);
    return () -> {
      boolean wasIdle = consumer.idle();
      long acked = carried ? consumer.ackAndPop() : consumer.popThenSettle();
      boolean nothing = consumer.idle() && (carried ? wasIdle : acked == 0);
      return nothing ? Callers.Work.DONE : acked;
    };
  }

  private static long sum(long[] values) {
    long sum = 0;
    for (long value : values) {
      sum += value;
    }
    return sum;
  }
}
