package io.holdfast.bench.backlog;

import io.holdfast.bench.Aim;
import io.holdfast.bench.BenchDirectory;
import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.Deliveries;
import io.holdfast.bench.Figure;
import io.holdfast.bench.Report;
import io.holdfast.bench.backlog.TurnTaking.Speed;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * One run of {@code bench backlog}: waiting messages, delayed messages and partitions, each piled
 * up in a data directory of its own.
 */
final class BacklogRun {
  private static final long TURNS_MS = 9_000;
  private static final long HOUR_MS = 3_600_000;
  private static final long TRIM_MS_MAX = 60_000;
  private static final long TRIM_STILL_MS = 5_000;
  private static final double MIB = 1 << 20;
  private static final String RATE = "messages/s";

  private final BacklogSize size;
  private final Report report;

  BacklogRun(BacklogSize size, Report report) {
    this.size = size;
    this.report = report;
  }

  void run(@Nullable Path parent) throws InterruptedException {
    try (BenchDirectory directory = BenchDirectory.in(parent)) {
      report.progress(
          "in "
              + directory.path()
              + ", heap of "
              + Runtime.getRuntime().maxMemory() / MIB
              + " MiB");
      waiting(directory.path().resolve("waiting"));
      delayed(directory.path().resolve("delayed"));
      partitions(directory.path().resolve("partitions"));
    }
    report.finish();
  }

  private static EmbeddedBroker open(Path directory) {
    return EmbeddedBroker.open(EngineConfig.at(directory));
  }

  private void waiting(Path directory) throws InterruptedException {
    Pile backlog = new Pile("backlog");
    Speed idle;
    try (EmbeddedBroker broker = open(directory)) {
      Pile small = new Pile("small");
      small.configure(broker);
      idle = new TurnTaking(broker, small, deliveries()).run(TURNS_MS);
      addSpeed("small", idle, null);
      backlog.configure(broker);
      double rate = backlog.fill(broker, size.messages(), 0, report);
      report.add(Figure.of("backlog-push", rate, RATE));
    }
    try (EmbeddedBroker broker = reopen(directory, "backlog-reopen")) {
      double bytes = (double) broker.diskBytes() / backlog.size();
      report.add(Figure.of("backlog-disk", bytes, "bytes/message"));
      report.add(Aim.atMost("disk bytes per waiting message", bytes, 130));
      Deliveries deliveries = deliveries();
      Speed speed = new TurnTaking(broker, backlog, deliveries).run(TURNS_MS);
      addSpeed("backlog", speed, idle);
      addHeap("backlog-heap");
      long left = broker.queue(backlog.queue()).orThrow().counts().waiting();
      double rate = Drain.run(broker, backlog, deliveries, left, report);
      report.add(Figure.of("backlog-drain", rate, RATE));
      trim(broker);
    }
  }

  private static Deliveries deliveries() {
    return new Deliveries(Pile.PARTITIONS, true);
  }

  private void addSpeed(String name, Speed speed, @Nullable Speed compared) {
    Figure rate = Figure.of(name + "-pop-ack", speed.rate(), RATE);
    Figure p50 = Figure.of(name + "-pop-p50", speed.p50Ms(), "ms");
    Figure p99 = Figure.of(name + "-pop-p99", speed.p99Ms(), "ms");
    if (compared != null) {
      rate = rate.ratio(speed.rate() / compared.rate()).note("ratio to small-pop-ack");
      p50 = p50.ratio(speed.p50Ms() / compared.p50Ms()).note("ratio to small-pop-p50");
      p99 = p99.ratio(speed.p99Ms() / compared.p99Ms()).note("ratio to small-pop-p99");
      report.add(Aim.atLeast("pop+ack rate, backlog / small", speed.rate() / compared.rate(), 0.8));
      report.add(Aim.atLeast("pop p50, small / backlog", compared.p50Ms() / speed.p50Ms(), 0.8));
    }
    report.add(rate);
    report.add(p50);
    report.add(p99);
  }

  private void addHeap(String name) {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    double used = (runtime.totalMemory() - runtime.freeMemory()) / MIB;
    report.add(Figure.of(name, used, "MiB").note("of at most " + runtime.maxMemory() / (1 << 20)));
  }

  private EmbeddedBroker reopen(Path directory, String name) {
    long start = System.nanoTime();
    EmbeddedBroker broker = open(directory);
    broker.stats().orThrow();
    double seconds = (System.nanoTime() - start) / 1e9;
    report.add(Figure.of(name, seconds, "s"));
    report.add(Aim.atMost(name + ", seconds", seconds, 5));
    return broker;
  }

  /** Waits until the disk use has not shrunk for a while. */
  private void trim(EmbeddedBroker broker) throws InterruptedException {
    long before = broker.diskBytes();
    long start = System.nanoTime();
    long least = before;
    long leastAt = start;
    while (System.nanoTime() - start < TRIM_MS_MAX * 1_000_000
        && System.nanoTime() - leastAt < TRIM_STILL_MS * 1_000_000) {
      Thread.sleep(100);
      long now = broker.diskBytes();
      if (now < least) {
        least = now;
        leastAt = System.nanoTime();
      }
    }
    report.add(Figure.of("trim-disk-before", before / MIB, "MiB"));
    report.add(
        Figure.of("trim-disk-after", least / MIB, "MiB")
            .ratio((double) least / before)
            .note(
                "everything is acked; smallest after "
                    + (leastAt - start) / 1_000_000_000
                    + " s; ratio to trim-disk-before"));
    report.add(
        Aim.atMost("disk bytes per message after trim", (double) least / size.messages(), 10));
  }

  private void delayed(Path directory) throws InterruptedException {
    Pile pile = new Pile("delayed");
    try (EmbeddedBroker broker = open(directory)) {
      pile.configure(broker);
      double rate = pile.fill(broker, size.delayed(), HOUR_MS, report);
      report.add(Figure.of("delayed-push", rate, RATE));
    }
    try (EmbeddedBroker broker = reopen(directory, "delayed-reopen")) {
      CheckFailedException.expectEqual(
          "delayed messages", size.delayed(), broker.stats().orThrow().delayed());
    }
  }

  private void partitions(Path directory) throws InterruptedException {
    Pile pile = new Pile("partitions");
    try (EmbeddedBroker broker = open(directory)) {
      pile.configure(broker);
      pile.spread(broker, size.partitions(), report);
    }
    try (EmbeddedBroker broker = reopen(directory, "partitions-reopen")) {
      CheckFailedException.expectEqual(
          "partitions", size.partitions(), broker.queue(pile.queue()).orThrow().partitions());
      addHeap("partitions-heap");
    }
  }
}
