package io.holdfast.bench.peers;

import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.Latencies;
import io.holdfast.bench.http.DrainLoad;
import io.holdfast.bench.http.FlowLoad;
import io.holdfast.bench.http.OpenLoop;
import io.holdfast.bench.http.PushLoad;
import io.holdfast.bench.http.Target;
import io.holdfast.bench.http.Workload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Work that every peer is given in turn, each time in a new queue.
 *
 * @param name the name in options and figures
 * @param title a line above its table
 */
record PeerWorkload(String name, String title, Runner runner) {
  private static final int LATENCY_PER_SECOND = 2_000;
  private static final long UNACKED_SECONDS_MAX = 60;

  /** Runs in a queue; returns the values by the name of their figure. */
  interface Runner {
    Map<PeerFigure, Double> run(Peer peer, Target target, String queue) throws InterruptedException;
  }

  static List<PeerWorkload> all() {
    return List.of(
        rate("push-1", "single pushes, 1 thread", queue -> new PushLoad(queue, 1, 1)),
        rate("push-16", "single pushes, 16 threads", queue -> new PushLoad(queue, 16, 1)),
        rate("push-64", "single pushes, 64 threads", queue -> new PushLoad(queue, 64, 1)),
        rate("publish-100", "publish, 100 in flight", queue -> new PushLoad(queue, 1, 100)),
        rate("publish-1000", "publish, 1,000 in flight", queue -> new PushLoad(queue, 1, 1_000)),
        rate(
            "drain-100",
            "receive and ack a backlog in batches of 100",
            queue -> new DrainLoad(queue, 1, 100)),
        rate(
            "flow-100",
            "publish, receive and ack at once in batches of 100",
            queue -> new FlowLoad(queue, 1, 1, 100)),
        new PeerWorkload(
            "latency-2000", "from publish to receive at 2,000 messages/s", PeerWorkload::latency));
  }

  private static PeerWorkload rate(String name, String title, Function<String, Workload> maker) {
    PeerFigure figure = PeerFigure.rate(name, title);
    return new PeerWorkload(
        name,
        title,
        (peer, target, queue) -> {
          Workload.Outcome outcome = maker.apply(queue).run(target);
          awaitUnacked(peer, queue, outcome.left());
          return Map.of(figure, outcome.rate());
        });
  }

  private static Map<PeerFigure, Double> latency(Peer peer, Target target, String queue)
      throws InterruptedException {
    OpenLoop loop = new OpenLoop(target, queue, 1, LATENCY_PER_SECOND);
    loop.run();
    awaitUnacked(peer, queue, 0);
    Latencies latencies = loop.latencies();
    Map<PeerFigure, Double> values = new LinkedHashMap<>();
    values.put(PeerFigure.LATENCY_P50, latencies.percentileMs(0.5));
    values.put(PeerFigure.LATENCY_P99, latencies.percentileMs(0.99));
    return values;
  }

  /** Some clients send acks without waiting for an answer, so the last may still be on its way. */
  private static void awaitUnacked(Peer peer, String queue, long expected)
      throws InterruptedException {
    long deadline = System.nanoTime() + UNACKED_SECONDS_MAX * 1_000_000_000;
    long actual = peer.unacked(queue);
    while (actual != expected && System.nanoTime() - deadline < 0) {
      Thread.sleep(20);
      actual = peer.unacked(queue);
    }
    CheckFailedException.expectEqual("messages of " + queue + " without an ack", expected, actual);
  }
}
