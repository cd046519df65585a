package io.holdfast.bench.http;

import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.Figure;
import io.holdfast.bench.Latencies;
import io.holdfast.bench.Report;
import io.holdfast.client.remote.RemoteBroker;
import io.holdfast.engine.EngineConfig.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * The figures of {@code bench client} that measure single calls of one {@link RemoteBroker}.
 *
 * <p>Thread: the one that runs the bench.
 */
final class ClientCalls {
  private static final String PUSH = "client-push-";
  private static final String ASYNC = "client-push-async-";
  private static final String WAKE_UP = "client-wakeup";
  private static final String FIRST = "client-first-seconds";
  private static final List<Integer> SINGLES = List.of(1, 16, 64);
  private static final long WARM_UP_MS = 3_000;

  private final Report report;
  private final Predicate<String> wanted;
  private final Durability durability;
  private final int seconds;

  ClientCalls(Report report, Predicate<String> wanted, Durability durability, int seconds) {
    this.report = report;
    this.wanted = wanted;
    this.durability = durability;
    this.seconds = seconds;
  }

  static List<String> names() {
    List<String> names = new ArrayList<>();
    SINGLES.forEach(count -> names.add(PUSH + count));
    SINGLES.forEach(count -> names.add(ASYNC + count));
    names.addAll(List.of(WAKE_UP, FIRST));
    return names;
  }

  /**
   * Measures and reports.
   *
   * @param serve the command that starts a server with its default settings
   */
  void run(String address, List<String> serve, Path root) throws IOException, InterruptedException {
    if (names().stream().noneMatch(wanted)) {
      return;
    }
    try (RemoteBroker remote = RemoteBroker.at(address)) {
      Target warmUp = new Target(() -> new BrokerSession(remote), true, 0, WARM_UP_MS);
      new PushLoad("warm-up-calls", 1, 1).run(warmUp);
      singles(remote);
      wakeUps(remote);
    }
    firstSeconds(serve, root);
  }

  private String durabilityName() {
    return durability.name().toLowerCase(Locale.ROOT);
  }

  private Figure figure(String name, double value, String unit) {
    report.progress(String.format(Locale.ROOT, "%-26s %,14.2f %s", name, value, unit));
    return Figure.of(name, value, unit).durability(durabilityName());
  }

  /** Single pushes of threads that share a client, and of one thread that does not wait. */
  private void singles(RemoteBroker remote) throws InterruptedException {
    List<Workload> loads = new ArrayList<>();
    SINGLES.forEach(count -> loads.add(new PushLoad(PUSH + count, count, 1)));
    SINGLES.forEach(count -> loads.add(new AsyncPushLoad(ASYNC + count, count, remote::pushAsync)));
    for (Workload load : loads) {
      if (wanted.test(load.name())) {
        Workload.Outcome outcome = load.run(target(remote));
        CheckFailedException.expectEqual(
            "messages stored by " + load.name(),
            outcome.pushed(),
            remote.queue(load.name()).orThrow().counts().stored());
        report.add(figure(load.name(), outcome.rate(), "messages/s").note(load.note()));
      }
    }
  }

  private Target target(RemoteBroker remote) {
    return new Target(() -> new BrokerSession(remote), true, seconds * 500L, seconds * 1000L);
  }

  private void wakeUps(RemoteBroker remote) throws InterruptedException {
    if (!wanted.test(WAKE_UP)) {
      return;
    }
    Latencies latencies = WakeUps.measure(target(remote));
    report.add(
        figure(WAKE_UP, latencies.percentileMs(0.5), "ms")
            .with("p50Ms", latencies.percentileMs(0.5))
            .with("p99Ms", latencies.percentileMs(0.99))
            .note("from before a push to the answer of the parked pop it wakes"));
  }

  private void firstSeconds(List<String> serve, Path root)
      throws IOException, InterruptedException {
    if (!wanted.test(FIRST)) {
      return;
    }
    List<RemoteBroker> opened = new ArrayList<>();
    try {
      new FirstSeconds(
              () ->
                  ServeProcess.start(serve, Files.createTempDirectory(root, "serve-"), durability),
              port -> {
                RemoteBroker remote = RemoteBroker.at("http://127.0.0.1:" + port);
                opened.add(remote);
                return () -> new BrokerSession(remote);
              },
              seconds * 1000L)
          .measure(report, FIRST, durabilityName());
    } finally {
      opened.forEach(RemoteBroker::close);
    }
  }
}
