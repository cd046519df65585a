package io.holdfast.bench.http;

import io.holdfast.api.message.NewMessage;
import io.holdfast.bench.Aim;
import io.holdfast.bench.Callers;
import io.holdfast.bench.Figure;
import io.holdfast.bench.Report;
import java.io.IOException;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * A server in the first seconds after its start, beside the same server once it is warm. The client
 * is warm from the beginning.
 *
 * <p>Thread: the one that runs the bench.
 */
final class FirstSeconds {
  private static final String QUEUE = "first-seconds";
  private static final int CALLERS = 16;
  private static final int SECONDS = 3;
  private static final double RATIO_WANTED = 0.7;
  private static final double START_MS_WANTED = 900;

  /** Starts a server on new data, with its default settings. */
  interface Starter {
    ServeProcess start() throws IOException, InterruptedException;
  }

  private final Starter starter;
  private final IntFunction<Supplier<Session>> connect;
  private final long measuredMs;

  /**
   * @param connect makes sessions with the server at a port
   */
  FirstSeconds(Starter starter, IntFunction<Supplier<Session>> connect, long measuredMs) {
    this.starter = starter;
    this.connect = connect;
    this.measuredMs = measuredMs;
  }

  void measure(Report report, String name, String durability)
      throws IOException, InterruptedException {
    warmUpClient();
    long begun = System.nanoTime();
    try (ServeProcess server = starter.start()) {
      Target target = target(server);
      try (Session session = target.sessions().get()) {
        session.push(QUEUE, NewMessage.DEFAULT_PARTITION, List.of(TextPayload.of(0, 0)));
      }
      double startMs = (System.nanoTime() - begun) / 1e6;
      Target.Load load = target.start(CALLERS, FirstSeconds::pushes);
      double[] rates = new double[SECONDS];
      double sum = 0;
      for (int i = 0; i < SECONDS; i++) {
        rates[i] = load.callers().rate(1_000);
        sum += rates[i];
      }
      load.callers().await(SECONDS * measuredMs);
      double warm = load.callers().rate(measuredMs);
      load.callers().stop();
      load.join();
      double ratio = sum / SECONDS / warm;
      report.add(
          Figure.of(name, sum / SECONDS, "messages/s")
              .ratio(ratio)
              .durability(durability)
              .with("startMs", startMs)
              .with("second1", rates[0])
              .with("second2", rates[1])
              .with("second3", rates[2])
              .with("warm", warm)
              .note(CALLERS + " callers push one at a time; ratio to the warm rate"));
      report.add(Aim.atLeast(name + " / warm", ratio, RATIO_WANTED));
      report.add(Aim.atMost(name + ", start to first push, ms", startMs, START_MS_WANTED));
    }
  }

  private Target target(ServeProcess server) {
    return new Target(connect.apply(server.port()), true, 0, measuredMs);
  }

  private void warmUpClient() throws IOException, InterruptedException {
    try (ServeProcess server = starter.start()) {
      Target.Load load = target(server).start(CALLERS, FirstSeconds::pushes);
      load.callers().await(SECONDS * measuredMs);
      load.callers().stop();
      load.join();
    }
  }

  private static Callers.Work pushes(Session session, int caller) {
    long[] next = {1};
    return () -> {
      session.push(QUEUE, NewMessage.DEFAULT_PARTITION, List.of(TextPayload.of(caller, next[0]++)));
      return 1;
    };
  }
}
