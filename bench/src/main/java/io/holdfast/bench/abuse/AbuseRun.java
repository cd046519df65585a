package io.holdfast.bench.abuse;

import io.holdfast.bench.Aim;
import io.holdfast.bench.BenchDirectory;
import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.Figure;
import io.holdfast.bench.Latencies;
import io.holdfast.bench.Report;
import io.holdfast.bench.http.ServerProcess;
import io.holdfast.engine.EngineConfig.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One run of {@code bench abuse}: an honest client alone, and beside connections that are held by
 * mischief.
 */
public final class AbuseRun {
  private static final long WARM_UP_MS = 5_000;
  private static final long TURN_MS = 1_000;
  private static final double RATIO_WANTED = 2;
  private static final double HEAD_SECONDS_WANTED = 12;

  /** Longer than any of them may live. */
  private static final int ATTACK_SECONDS_MIN = 45;

  /**
   * How a run is done.
   *
   * @param directory where to write; null for the usual place
   * @param connections how many are held
   * @param seconds how long the client is measured alone
   */
  public record Plan(
      @Nullable Path directory, Durability durability, int connections, int seconds) {
    public Plan {
      if (connections < Mischief.values().length) {
        throw new IllegalArgumentException(
            "connections: expected "
                + Mischief.values().length
                + " or more, but got "
                + connections);
      }
    }
  }

  private final Report report;
  private final Plan plan;

  public AbuseRun(Report report, Plan plan) {
    this.report = report;
    this.plan = plan;
  }

  /** Measures and reports. */
  public void run() throws IOException, InterruptedException {
    try (BenchDirectory directory = BenchDirectory.in(plan.directory());
        ServerProcess server =
            ServerProcess.start(
                ServerProcess.jvm(),
                directory.path().resolve("data"),
                directory.path().resolve("server.log"),
                plan.durability())) {
      int port = server.port();
      try (HonestClient client = new HonestClient(port)) {
        measure(server, port, client);
      }
    }
    report.finish();
  }

  private void measure(ServerProcess server, int port, HonestClient client)
      throws InterruptedException {
    client.measure(WARM_UP_MS);
    long quietMs = plan.seconds() * 1000L;
    long attackMs = Math.max(ATTACK_SECONDS_MIN, plan.seconds()) * 1000L;
    Latencies quiet = client.measure(quietMs);
    double rssBefore = server.rssMb();
    report.progress("alone: " + shown(quiet) + "; now beside " + plan.connections() + " others");
    try (Attack attack = Attack.start(port, plan.connections(), TURN_MS)) {
      Latencies attacked = client.measure(attackMs);
      double rssAttacked = server.rssMb();
      report.progress("attacked: " + shown(attacked));
      attack.end();
      tell(quiet, attacked, client.measure(quietMs));
      for (Mischief kind : Mischief.values()) {
        tell(attack, kind);
      }
      report.add(
          Figure.of("abuse-memory", rssAttacked - rssBefore, "MiB more")
              .with("beforeMb", rssBefore)
              .with("attackedMb", rssAttacked)
              .note("resident memory of the server's JVM"));
    }
  }

  private static String shown(Latencies latencies) {
    return String.format(
        Locale.ROOT,
        "p50 %.2f ms, p99 %.2f ms",
        latencies.percentileMs(0.5),
        latencies.percentileMs(0.99));
  }

  private void tell(Latencies quiet, Latencies attacked, Latencies after) {
    double ratio = attacked.percentileMs(0.99) / quiet.percentileMs(0.99);
    report.add(calls("abuse-quiet-p99", quiet));
    report.add(calls("abuse-attacked-p99", attacked).ratio(ratio));
    report.add(calls("abuse-after-p99", after));
    report.add(Aim.atMost("p99 attacked / alone", ratio, RATIO_WANTED));
  }

  private Figure calls(String name, Latencies latencies) {
    return Figure.of(name, latencies.percentileMs(0.99), "ms")
        .durability(plan.durability().name().toLowerCase(Locale.ROOT))
        .with("p50Ms", latencies.percentileMs(0.5))
        .with("p999Ms", latencies.percentileMs(0.999));
  }

  private void tell(Attack attack, Mischief kind) {
    int cut = attack.cutOff(kind);
    if (!kind.isCutOff()) {
      return;
    }
    if (cut == 0) {
      throw new CheckFailedException("no connection was cut off that was " + kind.label());
    }
    report.add(
        Figure.of("abuse-" + kind.label() + "-life", attack.lifeSeconds(kind), "s")
            .with("cutOff", cut)
            .note("median time until the server hung up"));
    if (kind == Mischief.SLOW_HEAD) {
      report.add(
          Aim.atMost("a slow head is cut off, s", attack.lifeSeconds(kind), HEAD_SECONDS_WANTED));
    }
  }
}
