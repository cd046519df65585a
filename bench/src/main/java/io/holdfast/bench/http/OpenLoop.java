package io.holdfast.bench.http;

import io.holdfast.api.message.NewMessage;
import io.holdfast.bench.Callers;
import io.holdfast.bench.Deliveries;
import io.holdfast.bench.Latencies;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Messages pushed one by one on a schedule that does not wait for answers, and long polls that
 * receive and ack them. A message's latency begins when it was to be sent, whether or not a sender
 * was free then.
 */
public final class OpenLoop {
  private static final int SENDERS = 16;
  private static final int BATCH = 100;
  private static final long WAIT_MS = 1_000;
  private static final long LEAD_NANOS = 50_000_000;

  private final Target target;
  private final String queue;
  private final int consumers;
  private final long intervalNanos;
  private final long warmUp;
  private final long total;
  private final long startNanos = System.nanoTime() + LEAD_NANOS;
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong acked = new AtomicLong();

  /** From the start to the last receipt: polls that find nothing more wait on. */
  private final AtomicLong lastNanos = new AtomicLong();

  private final Deliveries deliveries = new Deliveries(1, false);
  private final Latencies latencies = new Latencies();

  /**
   * @param consumers how many long polls receive; the queue must let so many receive at once
   */
  public OpenLoop(Target target, String queue, int consumers, int perSecond) {
    this.target = target;
    this.queue = queue;
    this.consumers = consumers;
    this.intervalNanos = 1_000_000_000L / perSecond;
    this.warmUp = target.warmUpMs() * perSecond / 1000;
    this.total = warmUp + target.measuredMs() * perSecond / 1000;
  }

  public String note() {
    return SENDERS + " connections push, long polls that receive and ack: " + consumers;
  }

  public long total() {
    return total;
  }

  /** Sends and receives everything; answers the rate at which it was received. */
  public double run() throws InterruptedException {
    Target.Load receiving = target.start(consumers, (session, caller) -> () -> receive(session));
    Target.Load sending = target.start(SENDERS, (session, caller) -> () -> send(session));
    sending.join();
    receiving.join();
    deliveries.verify(0, total);
    return Callers.perSecond(total, lastNanos.get());
  }

  public Latencies latencies() {
    return latencies;
  }

  private long send(Session session) {
    long number = next.getAndIncrement();
    if (number >= total) {
      return Callers.Work.DONE;
    }
    long intended = startNanos + number * intervalNanos;
    for (long left = intended - System.nanoTime(); left > 0; left = intended - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
    session.push(queue, NewMessage.DEFAULT_PARTITION, List.of(TextPayload.of(0, number)));
    return 1;
  }

  private long receive(Session session) {
    if (acked.get() == total) {
      return Callers.Work.DONE;
    }
    Session.Got got = session.pop(queue, BATCH, WAIT_MS);
    long now = System.nanoTime();
    if (!got.messages().isEmpty()) {
      lastNanos.accumulateAndGet(now - startNanos, Math::max);
    }
    for (Session.Held held : got.messages()) {
      long number = TextPayload.seq(held.text());
      if (number >= warmUp) {
        latencies.add(now - startNanos - number * intervalNanos);
      }
    }
    return DrainLoad.acked(session, got, deliveries, acked);
  }
}
