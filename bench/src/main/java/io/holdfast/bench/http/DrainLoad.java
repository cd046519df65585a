package io.holdfast.bench.http;

import io.holdfast.bench.Callers;
import io.holdfast.bench.Deliveries;
import java.util.concurrent.atomic.AtomicLong;

/** A prepared backlog of ordered partitions that is popped and acked to its end. */
public record DrainLoad(String name, int consumers, int batch) implements Workload {
  private static final int FILL_BATCH = 1_000;
  private static final long FILL_PER_MS_MAX = 150;
  private static final long WAIT_MS = 50;

  /** The part of the backlog whose drain warms up, as one of so many. */
  private static final int WARM_UP_PART = 4;

  @Override
  public String note() {
    return consumers + " connections, as many partitions, " + batch + " a pop, an ack each";
  }

  @Override
  public Outcome run(Target target) throws InterruptedException {
    long[] filled = fill(target);
    long backlog = 0;
    for (long part : filled) {
      backlog += part;
    }
    long all = backlog;
    Deliveries deliveries = new Deliveries(consumers, true);
    AtomicLong acked = new AtomicLong();
    Target.Load load =
        target.start(
            consumers,
            (session, caller) ->
                () ->
                    acked.get() == all ? Callers.Work.DONE : popAndAck(session, deliveries, acked));
    load.callers().awaitAcknowledged(all / WARM_UP_PART);
    long before = load.callers().acknowledged();
    long start = System.nanoTime();
    load.callers().awaitAcknowledged(all);
    double rate =
        Callers.perSecond(load.callers().acknowledged() - before, System.nanoTime() - start);
    load.join();
    for (int i = 0; i < consumers; i++) {
      deliveries.verify(i, filled[i]);
    }
    return new Outcome(rate, all, 0);
  }

  private long popAndAck(Session session, Deliveries deliveries, AtomicLong acked) {
    Session.Got got = session.pop(name, batch, WAIT_MS);
    return acked(session, got, deliveries, acked);
  }

  /** Notes what was got and acks it; answers how many that were. */
  static long acked(Session session, Session.Got got, Deliveries deliveries, AtomicLong acked) {
    for (Session.Held held : got.messages()) {
      deliveries.note(TextPayload.source(held.text()), TextPayload.seq(held.text()));
    }
    if (!got.messages().isEmpty()) {
      session.ack(got);
    }
    acked.addAndGet(got.messages().size());
    return got.messages().size();
  }

  /** Pushes for as long as will be measured, within a bound; answers what each partition holds. */
  private long[] fill(Target target) throws InterruptedException {
    long[] filled = new long[consumers];
    long most = target.measuredMs() * FILL_PER_MS_MAX / consumers;
    Target.Load load =
        target.start(
            consumers,
            (session, partition) ->
                () -> {
                  if (filled[partition] >= most) {
                    return Callers.Work.DONE;
                  }
                  session.push(
                      name,
                      "p" + partition,
                      PushLoad.payloads(partition, filled[partition], FILL_BATCH));
                  filled[partition] += FILL_BATCH;
                  return FILL_BATCH;
                });
    load.callers().await(target.measuredMs());
    load.callers().stop();
    load.join();
    return filled;
  }
}
