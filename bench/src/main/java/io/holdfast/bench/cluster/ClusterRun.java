package io.holdfast.bench.cluster;

import io.holdfast.api.TimeSource;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.client.remote.RemoteBroker;
import io.holdfast.client.remote.RemoteConfig;
import io.holdfast.testkit.HistoryChecker;
import io.holdfast.testkit.Violation;
import io.holdfast.testkit.WitnessedBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Disturbs a cluster under load, again and again, and judges all that clients were answered.
 *
 * <p>Thread: the one that runs the bench.
 */
public final class ClusterRun {
  private static final int PRODUCERS = 4;
  private static final int CONSUMERS = 8;

  /** A history is judged after so long, with a new queue for the next one. */
  private static final long SEGMENT_MS = 60_000;

  private static final long PAUSE_MS = 4_000;
  private static final long OUTAGE_MS_MAX = 120_000;
  private static final long DRAIN_MS_MAX = 180_000;

  /** How long a cluster may take no push after the end of a fault. */
  private static final long HEALED_MS_MAX = 10_000;

  private static final long EQUAL_SECONDS_MAX = 60;

  /** By how much the clocks of a node and of this process may differ. */
  private static final long CLOCK_SLACK_MS = 50;

  /**
   * How a run is done.
   *
   * @param serve the command that starts a server with its default settings
   * @param directory a directory of its own
   * @param faults what happens, in turns
   */
  public record Plan(
      List<String> serve, Path directory, int nodes, long seconds, List<Fault> faults, long seed) {
    public Plan {
      serve = List.copyOf(serve);
      faults = List.copyOf(faults);
      if (faults.isEmpty()) {
        throw new IllegalArgumentException("faults: expected at least one");
      }
    }
  }

  /**
   * What happened.
   *
   * @param flows how many flows were run
   * @param outages of each fault, the milliseconds until the first accepted push
   */
  public record Summary(
      long calls,
      long unanswered,
      long flows,
      Map<Fault, List<Long>> outages,
      List<String> violations) {
    /** The median and the longest of the outages of a fault, in milliseconds. */
    public static long[] medianAndMax(List<Long> outages) {
      List<Long> sorted = new ArrayList<>(outages);
      Collections.sort(sorted);
      return new long[] {sorted.get(sorted.size() / 2), sorted.getLast()};
    }
  }

  private final Plan plan;
  private final Consumer<String> progress;
  private final Random random;
  private final Map<Fault, List<Long>> outages = new EnumMap<>(Fault.class);
  private final List<String> violations = new ArrayList<>();
  private long calls;
  private long unanswered;
  private long flows;
  private int faultsDone;

  public ClusterRun(Plan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
    this.random = new Random(plan.seed());
  }

  public Summary run() throws IOException, InterruptedException {
    long end = System.nanoTime() + plan.seconds() * 1_000_000_000;
    int spares = plan.faults().contains(Fault.CHANGE_MEMBERS) ? 1 : 0;
    boolean linked = plan.faults().stream().anyMatch(Fault::isOfNetwork);
    try (ServeCluster cluster =
            ServeCluster.start(plan.serve(), plan.directory(), plan.nodes(), spares, linked);
        RemoteBroker broker = RemoteBroker.at(config(cluster));
        RemoteBroker probed = RemoteBroker.at(config(cluster))) {
      progress.accept("leader " + cluster.nodeName(cluster.awaitLeader()));
      try (OutageProbe probe = new OutageProbe(probed)) {
        for (int segment = 0; segment == 0 || System.nanoTime() - end < 0; segment++) {
          segment("work-" + segment, cluster, broker, probe, end);
        }
      }
      cluster.awaitEqual(EQUAL_SECONDS_MAX);
      violations.addAll(cluster.stopAndCompare());
      progress.accept("the rows of all nodes were compared");
    }
    return new Summary(calls, unanswered, flows, outages, violations);
  }

  /** Retries quickly, because outages are measured with it. */
  private static RemoteConfig config(ServeCluster cluster) {
    return RemoteConfig.of(cluster.urls())
        .retries(200, Duration.ofMillis(20), Duration.ofMillis(200))
        .timeouts(Duration.ofSeconds(1), Duration.ofSeconds(10));
  }

  private void segment(
      String queue, ServeCluster cluster, RemoteBroker broker, OutageProbe probe, long end)
      throws IOException, InterruptedException {
    broker
        .configure(
            ConfigureRequest.queue(queue)
                .set(QueueOption.RETRY_LIMIT, 1_000_000)
                .set(QueueOption.DELIVERY_LIMIT, 0))
        .orThrow();
    HistoryChecker checker = new HistoryChecker(new AheadClock(), HistoryChecker.Order.BLOCK);
    WitnessedBroker witnessed = new WitnessedBroker(broker, checker, true);
    ClusterLoad load = new ClusterLoad(queue);
    List<String> found = new ArrayList<>();
    try (FlowsOnCluster flowLoad = new FlowsOnCluster(broker, queue)) {
      load.begin(witnessed, random.nextLong(), PRODUCERS, CONSUMERS);
      long segmentEnd = Math.min(end, System.nanoTime() + SEGMENT_MS * 1_000_000);
      do {
        Thread.sleep(PAUSE_MS / 2 + random.nextLong(PAUSE_MS));
        disturb(cluster, broker, probe);
      } while (System.nanoTime() - segmentEnd < 0);
      load.end();
      load.drain(witnessed, DRAIN_MS_MAX);
      found.addAll(flowLoad.end());
      flows += flowLoad.count();
    }
    calls += load.calls.get();
    unanswered += load.unanswered.get();
    found.addAll(load.faults(broker));
    checker.violations(Set.of()).stream().map(Violation::toString).forEach(found::add);
    violations.addAll(found);
    progress.accept(
        queue
            + ": "
            + load.calls.get()
            + " calls, "
            + load.unanswered.get()
            + " without an answer, "
            + found.size()
            + " violations");
  }

  private void disturb(ServeCluster cluster, RemoteBroker broker, OutageProbe probe)
      throws IOException, InterruptedException {
    Fault fault = plan.faults().get(faultsDone++ % plan.faults().size());
    cluster.awaitLeader();
    fault.step().run(new FaultRun(cluster, broker, random, probe::mark));
    long healed = System.nanoTime();
    long outageMs = probe.msUntilAccepted(OUTAGE_MS_MAX);
    long sinceHealedMs = (System.nanoTime() - healed) / 1_000_000;
    if (outageMs < 0 || sinceHealedMs > HEALED_MS_MAX) {
      violations.add(
          fault + ": no push was accepted within " + HEALED_MS_MAX + " ms after it was healed");
    }
    if (outageMs >= 0) {
      outages.computeIfAbsent(fault, any -> new ArrayList<>()).add(outageMs);
    }
    progress.accept(fault + ": first accepted push after " + outageMs + " ms");
  }

  /** A clock that no node is ahead of. */
  private static final class AheadClock implements TimeSource {
    @Override
    public long wallMs() {
      return TimeSource.SYSTEM.wallMs() + CLOCK_SLACK_MS;
    }

    @Override
    public long nanos() {
      return TimeSource.SYSTEM.nanos();
    }

    @Override
    public void parkUntil(long deadlineNanos) {
      TimeSource.SYSTEM.parkUntil(deadlineNanos);
    }
  }
}
