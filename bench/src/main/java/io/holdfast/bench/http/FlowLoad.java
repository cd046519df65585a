package io.holdfast.bench.http;

import io.holdfast.bench.Callers;
import io.holdfast.bench.Deliveries;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Producers that push and consumers that pop and ack at the same time, in ordered partitions. */
public record FlowLoad(String name, int producers, int consumers, int batch) implements Workload {
  private static final long WAIT_MS = 100;

  /** Most messages on their way, so that it is a flow and not a growing backlog. */
  private static final int ON_THEIR_WAY_MAX = 20_000;

  @Override
  public String note() {
    return producers + " producers, " + consumers + " consumers, " + producers + " partitions";
  }

  @Override
  public Outcome run(Target target) throws InterruptedException {
    Flow flow = new Flow();
    Target.Load pushing = target.start(producers, flow::pushes);
    Target.Load popping = target.start(consumers, (session, caller) -> flow.pops(session));
    popping.callers().await(target.warmUpMs());
    double rate = popping.callers().rate(target.measuredMs());
    pushing.callers().stop();
    pushing.join();
    flow.allPushed = true;
    popping.join();
    long all = 0;
    for (int i = 0; i < producers; i++) {
      flow.deliveries.verify(i, flow.pushed[i]);
      all += flow.pushed[i];
    }
    return new Outcome(rate, all, 0);
  }

  private final class Flow {
    final long[] pushed = new long[producers];
    final Deliveries deliveries = new Deliveries(producers, true);
    final Semaphore onTheirWay = new Semaphore(ON_THEIR_WAY_MAX);
    final AtomicLong acknowledged = new AtomicLong();
    final AtomicLong acked = new AtomicLong();
    volatile boolean allPushed;

    Callers.Work pushes(Session session, int partition) {
      return () -> {
        if (!onTheirWay.tryAcquire(batch, WAIT_MS, TimeUnit.MILLISECONDS)) {
          return 0;
        }
        session.push(name, "p" + partition, PushLoad.payloads(partition, pushed[partition], batch));
        pushed[partition] += batch;
        acknowledged.addAndGet(batch);
        return batch;
      };
    }

    Callers.Work pops(Session session) {
      return () -> {
        Session.Got got = session.pop(name, batch, WAIT_MS);
        long count = DrainLoad.acked(session, got, deliveries, acked);
        onTheirWay.release((int) count);
        return count == 0 && allPushed && acked.get() == acknowledged.get()
            ? Callers.Work.DONE
            : count;
      };
    }
  }
}
