package io.holdfast.bench.http;

import io.holdfast.api.message.NewMessage;
import io.holdfast.api.queue.Counts;
import io.holdfast.bench.Aim;
import io.holdfast.bench.BenchDirectory;
import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.Figure;
import io.holdfast.bench.Report;
import io.holdfast.client.acks.AckClient;
import io.holdfast.client.remote.RemoteBroker;
import io.holdfast.engine.EngineConfig.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of {@code bench client}: what applications use, against a server in a JVM of its own.
 *
 * <p>Thread: the one that runs the bench.
 */
public final class ClientRun {
  private static final String RAW = "raw-flow";
  private static final String FLOW = "client-flow";
  private static final String SATURATED = "-4";
  private static final int SATURATING = 4;
  private static final String ACKS = "client-acks-";
  private static final String TASKS = "client-tasks";
  private static final String AHEAD = "client-ahead";
  private static final String AHEAD_BUSY = "client-ahead-busy";
  private static final Duration BUSY = Duration.ofMillis(1);
  private static final List<Integer> ACK_BATCHES = List.of(1, 10, 100);
  private static final int BATCH = ClientFlow.BATCH;
  private static final long WARM_UP_MS = 5_000;
  private static final int ROUNDS = 5;
  private static final int FILL_BATCH = 1_000;
  private static final int ACKED_PER_SECOND_MAX = 150_000;

  private final Report report;
  private final Set<String> only;
  private final @Nullable Path directory;
  private final List<String> serve;
  private final Durability durability;
  private final int seconds;

  /**
   * @param only the figures to measure; empty for all
   * @param directory where to write; null for the usual place
   * @param serve the command that starts a server with its default settings
   * @throws IllegalArgumentException if a figure does not exist
   */
  public ClientRun(
      Report report,
      Set<String> only,
      @Nullable Path directory,
      List<String> serve,
      Durability durability,
      int seconds) {
    Report.expectKnown(only, names());
    this.report = report;
    this.only = Set.copyOf(only);
    this.directory = directory;
    this.serve = List.copyOf(serve);
    this.durability = durability;
    this.seconds = seconds;
  }

  /** The names of all figures, in the order of the report. */
  public static List<String> names() {
    List<String> names = new ArrayList<>(List.of(RAW, FLOW, RAW + SATURATED, FLOW + SATURATED));
    ACK_BATCHES.forEach(size -> names.add(ACKS + size));
    names.add(TASKS);
    names.addAll(List.of(AHEAD, AHEAD_BUSY));
    names.addAll(ClientCalls.names());
    return names;
  }

  private boolean wanted(String name) {
    return only.isEmpty() || only.contains(name);
  }

  /** Measures and reports. */
  public void run() throws IOException, InterruptedException {
    try (BenchDirectory bench = BenchDirectory.in(directory);
        ServerProcess server =
            ServerProcess.start(
                ServerProcess.jvm(),
                bench.path().resolve("server"),
                bench.path().resolve("server.log"),
                durability)) {
      report.progress(
          "in %s, %d s each, durability %s"
              .formatted(bench.path(), seconds, durability.name().toLowerCase(Locale.ROOT)));
      String address = "http://127.0.0.1:" + server.port();
      flows(address, "", 1);
      flows(address, SATURATED, SATURATING);
      for (int size : ACK_BATCHES) {
        if (wanted(ACKS + size)) {
          acks(address, size);
        }
      }
      if (wanted(TASKS)) {
        new TaskLoad(address, seconds).run(report, durabilityName());
      }
      ahead(address, AHEAD, Duration.ZERO);
      ahead(address, AHEAD_BUSY, BUSY);
      new ClientCalls(report, this::wanted, durability, seconds).run(address, serve, bench.path());
    }
    report.finish();
  }

  private String durabilityName() {
    return durability.name().toLowerCase(Locale.ROOT);
  }

  private Figure figure(String name, double rate, String unit) {
    report.progress(String.format(Locale.ROOT, "%-26s %,14.0f %s", name, rate, unit));
    return Figure.of(name, rate, unit).durability(durabilityName());
  }

  /** What the client makes of so many threads at each end, beside threads that only send. */
  private void flows(String address, String suffix, int threads) throws InterruptedException {
    String rawName = RAW + suffix;
    String name = FLOW + suffix;
    if (!wanted(rawName) && !wanted(name)) {
      return;
    }
    double raw;
    try (RemoteBroker remote = RemoteBroker.at(address)) {
      Supplier<Session> sessions = () -> new BrokerSession(remote);
      new FlowLoad("warm-up" + suffix, threads, threads, BATCH)
          .run(new Target(sessions, true, 0, WARM_UP_MS));
      Target target = new Target(sessions, true, seconds * 500L, seconds * 1000L);
      raw = new FlowLoad(rawName, threads, threads, BATCH).run(target).rate();
    }
    report.add(
        figure(rawName, raw, "messages/s")
            .note(
                "producers and consumers that only send, each request after the other: "
                    + threads
                    + " and "
                    + threads));
    if (wanted(name)) {
      double rate = new ClientFlow(address, name, threads).run(seconds);
      report.add(
          figure(name, rate, "messages/s")
              .ratio(rate / raw)
              .note(
                  "buffers of 100: "
                      + threads
                      + ", a consumer of 100, acked after the handler, threads: "
                      + threads));
      report.add(Aim.atLeast(name + " / " + rawName, rate / raw, 0.8));
    }
  }

  /**
   * What it brings to fetch the next batch while one is handled: in turn without it and with it.
   */
  private void ahead(String address, String name, Duration busy) throws InterruptedException {
    if (!wanted(name)) {
      return;
    }
    new ClientFlow(address, name + "-warm-up", 1).busy(busy).run(seconds);
    double[] rates = new double[ROUNDS];
    double[] ratios = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      // Each is the first of the two in turn: the machine may grow faster, or slower.
      boolean first = i % 2 == 0;
      double one = new ClientFlow(address, name + i, 1).busy(busy).prefetch(first).run(seconds);
      double other =
          new ClientFlow(address, name + i + "-b", 1).busy(busy).prefetch(!first).run(seconds);
      double without = first ? other : one;
      rates[i] = first ? one : other;
      ratios[i] = rates[i] / without;
      report.progress(
          String.format(Locale.ROOT, "%-26s %,14.0f without, %,.0f with", name, without, rates[i]));
    }
    report.add(
        figure(name, median(rates), "messages/s")
            .ratio(median(ratios))
            .note(
                "of the same without fetching ahead, medians of "
                    + ROUNDS
                    + " rounds; a batch is handled for at least "
                    + busy.toMillis()
                    + " ms"));
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private void acks(String address, int size) throws InterruptedException {
    String name = ACKS + size;
    long backlog = (long) ACKED_PER_SECOND_MAX * 2 * seconds * size / BATCH;
    AtomicLong handled = new AtomicLong();
    try (RemoteBroker remote = RemoteBroker.at(address)) {
      BrokerSession session = new BrokerSession(remote);
      for (long filled = 0; filled < backlog; filled += FILL_BATCH) {
        session.push(name, NewMessage.DEFAULT_PARTITION, PushLoad.payloads(0, filled, FILL_BATCH));
      }
      double rate;
      try (AckClient client = AckClient.on(remote)) {
        client.setAutoAck(true).setAckBatchSize(size);
        client.subscribeAsync(message -> handled.incrementAndGet(), "queue://" + name);
        rate = ClientFlow.rate(handled, seconds);
        client.unsubscribeAll();
      }
      Counts counts = remote.queue(name).orThrow().counts();
      long left = counts.waiting() + counts.returned() + counts.inFlight();
      CheckFailedException.expectEqual(
          "messages of " + name + " that were not handled", roundUp(backlog) - handled.get(), left);
      report.add(
          figure(name, rate, "messages/s")
              .note("one subscription with auto-ack, batches of " + size));
    }
  }

  private static long roundUp(long backlog) {
    return (backlog + FILL_BATCH - 1) / FILL_BATCH * FILL_BATCH;
  }
}
