package io.holdfast.bench.flows;

import io.holdfast.api.Broker;
import io.holdfast.bench.Aim;
import io.holdfast.bench.BenchDirectory;
import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.CpuTime;
import io.holdfast.bench.Figure;
import io.holdfast.bench.Latencies;
import io.holdfast.bench.Report;
import io.holdfast.bench.http.ServerProcess;
import io.holdfast.client.remote.RemoteBroker;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.engine.EngineConfig.Durability;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.FlowsConfig;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.replay.Collectable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One run of {@code bench flows}: flows on a broker of this JVM, then on a server in a JVM of its
 * own.
 *
 * <p>Thread: the one that runs the bench.
 */
public final class FlowsRun {
  private static final String COMMITS = "flows-commits";
  private static final String FAN_OUT = "flows-fanout5-0ms";
  private static final String FAN_OUT_SLOW = "flows-fanout5-10ms";
  private static final String ONE = "flows-one";
  private static final String CHAIN = "flows-chain100";
  private static final String FAN_IN = "flows-fanin1000";
  private static final String PARKED = "flows-parked";
  private static final String REMOTE = "-remote";

  private static final int AT_A_TIME = 256;
  private static final int STARTERS = 32;
  private static final int CHAIN_LENGTH = 100;
  private static final int FAN_IN_WIDTH = 1_000;
  private static final int PARKED_FLOWS = 100_000;
  private static final Duration END_MAX = Duration.ofMinutes(2);

  /** How long the compilers of two JVMs need on two cores before a rate stays the same. */
  private static final long WARM_UP_MIN_MS = 5_000;

  /** The set-up whose figures were published elsewhere: 20 flows at a time, two slots of each. */
  private static final int SLOW_AT_A_TIME = 20;

  private static final int SLOW_SLOTS = 2;

  /** Two workers of ten milliseconds can do no more than so many flows of five activities. */
  private static final double SLOW_CEILING = SLOW_SLOTS * 100.0 / Samples.FAN_OUT;

  private final Report report;
  private final Set<String> only;
  private final @Nullable Path directory;
  private final Durability durability;
  private final int seconds;
  private final AtomicInteger prefixes = new AtomicInteger();

  /**
   * @param only the figures to measure; empty for all
   * @param directory where to write; null for the usual place
   * @throws IllegalArgumentException if a figure does not exist
   */
  public FlowsRun(
      Report report,
      Set<String> only,
      @Nullable Path directory,
      Durability durability,
      int seconds) {
    Report.expectKnown(only, names());
    this.report = report;
    this.only = Set.copyOf(only);
    this.directory = directory;
    this.durability = durability;
    this.seconds = seconds;
  }

  /** The names of all figures, in the order of the report. */
  public static List<String> names() {
    List<String> names = new ArrayList<>();
    for (String suffix : List.of("", REMOTE)) {
      for (String name : List.of(COMMITS, FAN_OUT, FAN_OUT_SLOW, ONE, CHAIN, FAN_IN)) {
        names.add(name + suffix);
      }
      WorkersLoad.NAMES.forEach(name -> names.add(name + suffix));
    }
    names.add(PARKED);
    return names;
  }

  private boolean wanted(String name) {
    return only.isEmpty() || only.contains(name);
  }

  /** Measures and reports. */
  public void run() throws IOException, InterruptedException {
    // Before the first virtual thread: later it would have no effect.
    Collectable.prefer();
    try (BenchDirectory bench = BenchDirectory.in(directory)) {
      report.progress(
          "in %s, %d s each, durability %s".formatted(bench.path(), seconds, durabilityName()));
      EngineConfig engine =
          EngineConfig.at(bench.path().resolve("embedded")).durability(durability);
      try (EmbeddedBroker broker = EmbeddedBroker.open(engine)) {
        measure(broker, CpuTime.ofThisAnd(), "");
        if (wanted(PARKED)) {
          parked(broker);
        }
      }
      if (names().stream().filter(name -> name.endsWith(REMOTE)).anyMatch(this::wanted)) {
        remote(bench.path());
      }
    }
    report.finish();
  }

  private void remote(Path path) throws IOException, InterruptedException {
    try (ServerProcess server =
            ServerProcess.start(
                ServerProcess.jvm(),
                path.resolve("server"),
                path.resolve("server.log"),
                durability);
        RemoteBroker broker = RemoteBroker.at("http://127.0.0.1:" + server.port())) {
      measure(broker, CpuTime.ofThisAnd(server.handle()), REMOTE);
    }
  }

  private String durabilityName() {
    return durability.name().toLowerCase(Locale.ROOT);
  }

  private Figure figure(String name, double rate, String unit) {
    report.progress(String.format(Locale.ROOT, "%-26s %,14.1f %s", name, rate, unit));
    return Figure.of(name, rate, unit).durability(durabilityName());
  }

  /** How long each load runs before it is measured. */
  static long warmUpMs(int seconds) {
    return Math.max(WARM_UP_MIN_MS, seconds * 500L);
  }

  /** Flows of their own, apart from those of other figures. */
  private FlowsConfig config() {
    return FlowsConfig.defaults().prefix("bench" + prefixes.incrementAndGet());
  }

  private void measure(Broker broker, CpuTime cpu, String suffix) throws InterruptedException {
    double commits = 0;
    if (wanted(COMMITS + suffix) || wanted(FAN_OUT + suffix)) {
      commits = new CommitProbe().run(broker, "commits" + suffix, seconds);
      report.add(
          figure(COMMITS + suffix, commits, "commits/s")
              .note("64 callers, each commit an event, a message and a record"));
    }
    if (wanted(FAN_OUT + suffix)) {
      fanOut(broker, cpu, suffix, commits);
    }
    if (wanted(FAN_OUT_SLOW + suffix)) {
      fanOutSlow(broker, cpu, suffix);
    }
    if (wanted(ONE + suffix)) {
      one(broker, cpu, ONE + suffix, Samples.FAN_OUT_5, 0, Samples.FAN_OUT);
    }
    if (wanted(CHAIN + suffix)) {
      one(broker, cpu, CHAIN + suffix, Samples.CHAIN, CHAIN_LENGTH, CHAIN_LENGTH);
    }
    if (wanted(FAN_IN + suffix)) {
      one(broker, cpu, FAN_IN + suffix, Samples.FAN_IN_1000, 0, FAN_IN_WIDTH);
    }
    if (WorkersLoad.NAMES.stream().anyMatch(name -> wanted(name + suffix))) {
      workers(broker, cpu, suffix);
    }
  }

  private void fanOut(Broker broker, CpuTime cpu, String suffix, double commits)
      throws InterruptedException {
    FlowLoad.Outcome outcome =
        new FlowLoad(Samples.FAN_OUT_5, FlowsRun::fanOutOf, AT_A_TIME, STARTERS)
            .run(broker, cpu, config().slots(AT_A_TIME, AT_A_TIME), seconds);
    report.add(
        figure(FAN_OUT + suffix, outcome.perSecond(), "flows/s")
            .ratio(outcome.perSecond() / commits)
            .with("activitiesPerSecond", outcome.perSecond() * Samples.FAN_OUT)
            .with("cpuMicros", outcome.cpuMicros())
            .with("p50Ms", outcome.p50Ms())
            .with("p99Ms", outcome.p99Ms())
            .with("turnsPerFlow", outcome.turnsPerFlow())
            .with("replayedShare", outcome.replayedShare())
            .note(
                "5 activities of no length each, 256 flows and as many slots; ratio to "
                    + COMMITS
                    + suffix
                    + "; times from before the start to the end"));
    if (suffix.isEmpty()) {
      report.add(Aim.atLeast(FAN_OUT + ", flows/s", outcome.perSecond(), 2_000));
    }
  }

  private static int fanOutOf(int n) {
    return Samples.expected(n, Samples.FAN_OUT);
  }

  private void fanOutSlow(Broker broker, CpuTime cpu, String suffix) throws InterruptedException {
    FlowLoad.Outcome outcome =
        new FlowLoad(Samples.FAN_OUT_5_SLOW, FlowsRun::fanOutOf, SLOW_AT_A_TIME, 2)
            .run(broker, cpu, config().slots(SLOW_SLOTS, SLOW_SLOTS), seconds);
    double share = outcome.perSecond() / SLOW_CEILING;
    report.add(
        figure(FAN_OUT_SLOW + suffix, outcome.perSecond(), "flows/s")
            .ratio(share)
            .with("slotsBusy", outcome.workedPerSecond() / SLOW_SLOTS)
            .with("activitiesPerSecond", outcome.perSecond() * Samples.FAN_OUT)
            .with("cpuMicros", outcome.cpuMicros())
            .with("p50Ms", outcome.p50Ms())
            .with("p99Ms", outcome.p99Ms())
            .with("turnsPerFlow", outcome.turnsPerFlow())
            .with("replayedShare", outcome.replayedShare())
            .note(
                "5 activities of 10 ms each, 2 slots for flows and 2 for activities; ratio to 40;"
                    + " slotsBusy is the share of time in which a slot ran an activity"));
    report.add(Aim.atLeast(FAN_OUT_SLOW + suffix + " / ceiling", share, 0.95));
  }

  /** Whichever of these figures is wanted, one worker is measured to compare with. */
  private void workers(Broker broker, CpuTime cpu, String suffix) throws InterruptedException {
    List<String> measured =
        WorkersLoad.NAMES.stream()
            .filter(name -> name.equals(WorkersLoad.ONE) || wanted(name + suffix))
            .toList();
    Map<String, WorkersLoad.Medians> all =
        new WorkersLoad(broker, cpu, this::config, seconds).run(measured);
    double one = Objects.requireNonNull(all.get(WorkersLoad.ONE)).turnsPerSecond();
    all.forEach(
        (name, each) -> {
          double ratio = each.turnsPerSecond() / one;
          report.add(
              figure(name + suffix, each.turnsPerSecond(), "turns/s")
                  .ratio(ratio)
                  .with("cpuMicros", each.cpuMicros())
                  .with("replayedShare", each.replayedShare())
                  .note(
                      "flows of 100 steps of 5 ms and 4 kB, each followed by a call; 2 slots for"
                          + " each worker; ratio to one worker; cpuMicros of a turn; medians"));
          if (name.equals(WorkersLoad.THREE)) {
            report.add(Aim.atLeast(name + suffix + " / one", ratio, 2.5));
          }
        });
  }

  /** One flow after the other, each with so many activities. */
  private void one(
      Broker broker,
      CpuTime cpu,
      String name,
      Orchestration<Integer, Integer> flow,
      int input,
      int activities) {
    Latencies latencies = new Latencies();
    long count = 0;
    long spent = 0;
    long cpuMicros = 0;
    try (Flows flows = Flows.on(broker, config()).register(Samples.all()).serve()) {
      long warm = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(warmUpMs(seconds));
      long end = warm + TimeUnit.SECONDS.toNanos(seconds);
      for (int i = 0; System.nanoTime() - end < 0; i++) {
        String id = flow.name() + i;
        long begun = System.nanoTime();
        flows.start(flow, id, input);
        int result = flows.await(id, flow, END_MAX);
        long took = System.nanoTime() - begun;
        int expected =
            flow.equals(Samples.CHAIN) ? activities : Samples.expected(input, activities);
        CheckFailedException.expectEqual("result of flow " + id, expected, result);
        if (begun - warm < 0) {
          cpuMicros = -cpu.micros();
        } else {
          latencies.add(took);
          spent += took;
          count++;
        }
      }
      cpuMicros += cpu.micros();
    }
    report.add(
        figure(name, activities * count * 1e9 / Math.max(1, spent), "activities/s")
            .with("p50Ms", latencies.percentileMs(0.5))
            .with("p99Ms", latencies.percentileMs(0.99))
            .with("cpuMicros", (double) cpuMicros / Math.max(1, count))
            .note("one flow at a time with " + activities + " activities of no length"));
  }

  private void parked(EmbeddedBroker broker) throws InterruptedException {
    FlowsConfig config = config().kept(PARKED_FLOWS, Long.MAX_VALUE);
    long before = used();
    try (Flows flows = Flows.on(broker, config).register(Samples.all()).serve()) {
      AtomicInteger next = new AtomicInteger();
      Thread[] starters = new Thread[STARTERS];
      for (int i = 0; i < STARTERS; i++) {
        starters[i] = Thread.ofVirtual().start(() -> startParked(flows, next));
      }
      for (Thread starter : starters) {
        starter.join();
      }
      long deadline = System.nanoTime() + END_MAX.toNanos();
      while (flows.kept() < PARKED_FLOWS && System.nanoTime() - deadline < 0) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
      CheckFailedException.expectEqual("flows that wait", PARKED_FLOWS, flows.kept());
      double bytes = (double) (used() - before) / PARKED_FLOWS;
      flows.raise("parked7", "go", 1);
      int result = flows.await("parked7", Samples.PARKED, END_MAX);
      CheckFailedException.expectEqual("result of a flow that waited", 8, result);
      report.add(
          figure(PARKED, bytes, "bytes/flow")
              .note(
                  "100,000 flows that wait for an event, with their threads in memory; heap after"
                      + " a collection, what the broker holds included"));
    }
    report.add(
        figure(PARKED + "-away", (double) (used() - before) / PARKED_FLOWS, "bytes/flow")
            .note("the same flows once their threads are put away"));
  }

  private static void startParked(Flows flows, AtomicInteger next) {
    for (int n = next.getAndIncrement(); n < PARKED_FLOWS; n = next.getAndIncrement()) {
      flows.start(Samples.PARKED, "parked" + n, n);
    }
  }

  private static long used() throws InterruptedException {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 3; i++) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(100);
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
