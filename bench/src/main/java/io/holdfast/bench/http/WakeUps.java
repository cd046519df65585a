package io.holdfast.bench.http;

import io.holdfast.api.message.NewMessage;
import io.holdfast.bench.Callers;
import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.Latencies;
import java.util.List;
import java.util.concurrent.SynchronousQueue;

/** One poll that is parked, and the time from a push until it is answered. */
final class WakeUps {
  static final String QUEUE = "http-wakeup";

  private static final long WAIT_MS = 10_000;

  /** Long enough for a poll to be parked. */
  private static final long PARK_MS = 10;

  private static final int WARM_UP = 20;
  private static final int PER_SECOND = 40;

  private WakeUps() {}

  static Latencies measure(Target target) throws InterruptedException {
    Latencies latencies = new Latencies();
    long rounds = WARM_UP + target.measuredMs() * PER_SECOND / 1000;
    SynchronousQueue<Long> received = new SynchronousQueue<>();
    try (Session pusher = target.sessions().get()) {
      Target.Load poll =
          target.start(1, (session, caller) -> () -> receive(session, received, rounds));
      for (long i = 0; i < rounds; i++) {
        poll.callers().await(PARK_MS);
        long pushed = System.nanoTime();
        pusher.push(QUEUE, NewMessage.DEFAULT_PARTITION, List.of(TextPayload.of(0, i)));
        long latency = received.take() - pushed;
        if (i >= WARM_UP) {
          latencies.add(latency);
        }
      }
      poll.join();
    }
    return latencies;
  }

  private static long receive(Session session, SynchronousQueue<Long> received, long rounds)
      throws InterruptedException {
    Session.Got got = session.pop(QUEUE, 1, WAIT_MS);
    long now = System.nanoTime();
    CheckFailedException.expectEqual("messages of a wake-up", 1, got.messages().size());
    session.ack(got);
    received.put(now);
    long last = TextPayload.seq(got.messages().getFirst().text());
    return last == rounds - 1 ? Callers.Work.DONE : 1;
  }
}
