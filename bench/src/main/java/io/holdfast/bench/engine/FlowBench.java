package io.holdfast.bench.engine;

import io.holdfast.api.lease.PopRequest;
import io.holdfast.bench.Callers;
import io.holdfast.bench.Deliveries;
import io.holdfast.engine.EmbeddedBroker;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Producers that push and consumers that pop and ack at the same time, in ordered partitions. */
final class FlowBench implements EngineBench {
  private static final int PRODUCERS = 4;
  private static final int CONSUMERS = 4;
  private static final int BATCH = 100;
  private static final long POP_WAIT_MS = 100;
  private static final long PUSH_WAIT_MS = 100;

  /** Most messages on their way, so that it is a flow and not a growing backlog. */
  private static final int ON_THEIR_WAY_MAX = 20_000;

  private final String name;
  private final int partitions;
  private final int popPartitions;

  /**
   * @param partitions how many, at least as many as producers: each is written by one of them
   * @param popPartitions from how many of them one pop may take
   */
  FlowBench(String name, int partitions, int popPartitions) {
    this.name = name;
    this.partitions = partitions;
    this.popPartitions = popPartitions;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Measured run(Setting setting) throws InterruptedException {
    try (EmbeddedBroker broker = setting.open(name, "ordered")) {
      Flow flow = new Flow(broker);
      Callers producers = Callers.start(PRODUCERS, flow::pushes);
      Callers consumers = Callers.start(CONSUMERS, caller -> flow.pops());
      consumers.await(setting.warmUpMs());
      double rate = consumers.rate(setting.measuredMs());
      producers.stop();
      producers.join();
      flow.allPushed = true;
      consumers.join();
      flow.verify();
      return Measured.messages(
          rate,
          PRODUCERS + " producers, " + CONSUMERS + " consumers, " + partitions + " partitions");
    }
  }

  private final class Flow {
    final EmbeddedBroker broker;
    final long[] pushed = new long[partitions];
    final Deliveries deliveries = new Deliveries(partitions, true);
    final Semaphore onTheirWay = new Semaphore(ON_THEIR_WAY_MAX);
    final AtomicLong acknowledged = new AtomicLong();
    final AtomicLong acked = new AtomicLong();
    volatile boolean allPushed;

    Flow(EmbeddedBroker broker) {
      this.broker = broker;
    }

    Callers.Work pushes(int caller) {
      Producer producer = new Producer(broker, BATCH, false);
      int[] turn = {caller};
      return () -> {
        if (!onTheirWay.tryAcquire(BATCH, PUSH_WAIT_MS, TimeUnit.MILLISECONDS)) {
          return 0;
        }
        int partition = turn[0];
        turn[0] = partition + PRODUCERS < partitions ? partition + PRODUCERS : caller;
        long count = producer.push("p" + partition, partition, pushed[partition]);
        pushed[partition] += count;
        acknowledged.addAndGet(count);
        return count;
      };
    }

    Callers.Work pops() {
      PopRequest pop =
          PopRequest.queue(Setting.QUEUE)
              .batch(BATCH)
              .partitions(popPartitions)
              .waitMs(POP_WAIT_MS);
      Consumer consumer = new Consumer(broker, pop, deliveries);
      return () -> {
        long count = consumer.ackAndPop();
        onTheirWay.release((int) count);
        acked.addAndGet(count);
        return ended(consumer) && count == 0 ? Callers.Work.DONE : count;
      };
    }

    private boolean ended(Consumer consumer) {
      return consumer.idle() && allPushed && acked.get() == acknowledged.get();
    }

    void verify() {
      for (int i = 0; i < partitions; i++) {
        deliveries.verify(i, pushed[i]);
      }
    }
  }
}
