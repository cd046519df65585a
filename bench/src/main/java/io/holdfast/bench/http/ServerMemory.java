package io.holdfast.bench.http;

import io.holdfast.api.message.NewMessage;
import io.holdfast.bench.Aim;
import io.holdfast.bench.Callers;
import io.holdfast.bench.Figure;
import io.holdfast.bench.Report;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The resident memory of a server with its default settings: at rest, the most under full load, and
 * some time after many messages went in.
 *
 * <p>Thread: the one that runs the bench.
 */
final class ServerMemory {
  private static final String QUEUE = "memory";
  private static final int PUSHERS = 8;
  private static final int BATCH = 100;
  private static final long REST_MS = 2_000;
  private static final double REST_MB_WANTED = 150;
  private static final double MOST_MB_WANTED = 300;
  private static final double AFTER_MB_WANTED = 200;

  private final Report report;
  private final HttpPlan plan;

  ServerMemory(Report report, HttpPlan plan) {
    this.report = report;
    this.plan = plan;
  }

  /** Measures a server that was just started. */
  void measure(String name, ServeProcess server, Supplier<Session> sessions)
      throws InterruptedException {
    Target target = new Target(sessions, true, plan.warmUpMs(), plan.measuredMs());
    try (Session session = target.sessions().get()) {
      session.push(QUEUE, NewMessage.DEFAULT_PARTITION, List.of(TextPayload.of(0, 0)));
    }
    Thread.sleep(REST_MS);
    double atRest = server.process().residentMb();
    new FlowLoad("memory-flow", 4, 4, BATCH).run(target);
    push(target, plan.messages());
    double loaded = server.process().residentMb();
    double most = server.process().peakMb();
    report.progress("memory: waiting for " + plan.idleSeconds() + " s");
    Thread.sleep(plan.idleSeconds() * 1_000L);
    double after = server.process().residentMb();
    report.add(
        Figure.of(name, after, "MiB")
            .durability(plan.durabilityName())
            .with("atRestMb", atRest)
            .with("mostMb", most)
            .with("loadedMb", loaded)
            .with("afterMb", after)
            .note(
                "resident memory of holdfast serve, %d s after %,d messages went in"
                    .formatted(plan.idleSeconds(), plan.messages())));
    report.add(Aim.atMost("memory at rest, MiB", atRest, REST_MB_WANTED));
    report.add(Aim.atMost("memory under full load, MiB", most, MOST_MB_WANTED));
    report.add(Aim.atMost("memory after load, MiB", after, AFTER_MB_WANTED));
  }

  private static void push(Target target, long messages) throws InterruptedException {
    AtomicLong next = new AtomicLong();
    Target.Load load =
        target.start(
            PUSHERS,
            (session, caller) ->
                () -> {
                  long from = next.getAndAdd(BATCH);
                  if (from >= messages) {
                    return Callers.Work.DONE;
                  }
                  int count = (int) Math.min(BATCH, messages - from);
                  session.push(
                      QUEUE, NewMessage.DEFAULT_PARTITION, PushLoad.payloads(0, from, count));
                  return count;
                });
    load.join();
  }
}
