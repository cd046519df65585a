package io.holdfast.bench.cluster;

import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.bench.Aim;
import io.holdfast.bench.Figure;
import io.holdfast.bench.Latencies;
import io.holdfast.bench.Report;
import io.holdfast.bench.http.AsyncPushLoad;
import io.holdfast.bench.http.BrokerSession;
import io.holdfast.bench.http.FlowLoad;
import io.holdfast.bench.http.PushLoad;
import io.holdfast.bench.http.ServeProcess;
import io.holdfast.bench.http.Target;
import io.holdfast.bench.http.Workload;
import io.holdfast.client.remote.RemoteBroker;
import io.holdfast.engine.EngineConfig.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * How fast a cluster on this machine is, beside one node in the same run: both run all the time,
 * and are measured in turns.
 *
 * <p>Thread: the one that runs the bench.
 */
public final class ClusterSpeed {
  private static final byte[] PAYLOAD = new byte[100];
  private static final double RATE_MIN = 0.4;
  private static final double LATENCY_MAX = 3;
  private static final int ROUNDS = 3;

  /** Code is compiled while it runs; three nodes on a machine with few cores take longer. */
  private static final long WARM_UP_MS = 4_000;

  private static final long CLUSTER_WARM_UP_MS = 20_000;

  /** Work that is measured on both. */
  private interface Measure {
    double run(RemoteBroker broker, String queue, Target target) throws InterruptedException;
  }

  private static final String PUBLISH = "publish-1000";
  private static final String PUBLISH_SINGLE = "publish-single-1000";
  private static final String FLOW = "flow-100";
  private static final String PUSH = "push-p50";

  private final Report report;
  private final Set<String> only;
  private final List<String> serve;
  private final Path directory;
  private final int nodes;
  private final int seconds;

  /**
   * @param only the figures to measure; empty for all
   * @param serve the command that starts a server with its default settings
   * @param directory a directory of its own
   * @param seconds of each measurement; each is repeated
   */
  public ClusterSpeed(
      Report report, Set<String> only, List<String> serve, Path directory, int nodes, int seconds) {
    Report.expectKnown(only, List.of(PUBLISH, PUBLISH_SINGLE, FLOW, PUSH));
    this.report = report;
    this.only = Set.copyOf(only);
    this.serve = List.copyOf(serve);
    this.directory = directory;
    this.nodes = nodes;
    this.seconds = seconds;
  }

  public void run() throws IOException, InterruptedException {
    try (ServeProcess single =
            ServeProcess.start(serve, directory.resolve("single"), Durability.FSYNC);
        ServeCluster cluster = ServeCluster.start(serve, directory.resolve("cluster"), nodes);
        RemoteBroker one = RemoteBroker.at(single.url());
        RemoteBroker all = RemoteBroker.at(cluster.urls()[cluster.awaitLeader()])) {
      report.progress(nodes + " nodes, asked at the leader, beside one node");
      rate(PUBLISH, one, all, queue -> new PushLoad(queue, 1, 1_000));
      measure(
          PUBLISH_SINGLE,
          one,
          all,
          (broker, queue, target) ->
              new AsyncPushLoad(queue, 1_000, broker::pushAsync).run(target).rate());
      rate(FLOW, one, all, queue -> new FlowLoad(queue, 1, 1, 100));
      latency(one, all);
    }
    report.finish();
  }

  private void rate(
      String name, RemoteBroker one, RemoteBroker all, Function<String, Workload> workload)
      throws InterruptedException {
    measure(name, one, all, (broker, queue, target) -> workload.apply(queue).run(target).rate());
  }

  private void measure(String name, RemoteBroker one, RemoteBroker all, Measure measure)
      throws InterruptedException {
    if (!isWanted(name)) {
      return;
    }
    double[] medians = medians(name, one, all, measure);
    double ratio = medians[1] / medians[0];
    report.add(Figure.of(name, medians[1], "messages/s").ratio(ratio).with("one node", medians[0]));
    report.add(Aim.atLeast(name + ": cluster / one node", ratio, RATE_MIN));
  }

  private boolean isWanted(String name) {
    return only.isEmpty() || only.contains(name);
  }

  private void latency(RemoteBroker one, RemoteBroker all) throws InterruptedException {
    String name = PUSH;
    if (!isWanted(name)) {
      return;
    }
    double[] medians = medians(name, one, all, ClusterSpeed::pushP50Ms);
    double ratio = medians[1] / medians[0];
    report.add(Figure.of(name, medians[1], "ms").ratio(ratio).with("one node", medians[0]));
    report.add(Aim.atMost(name + ": cluster / one node", ratio, LATENCY_MAX));
  }

  private static double pushP50Ms(RemoteBroker broker, String queue, Target target) {
    Latencies latencies = new Latencies();
    long begun = System.nanoTime();
    long warm = begun + target.warmUpMs() * 1_000_000;
    long end = warm + target.measuredMs() * 1_000_000;
    for (long now = begun; now - end < 0; ) {
      broker.push(PushRequest.of(NewMessage.to(queue, PAYLOAD))).orThrow();
      long after = System.nanoTime();
      if (now - warm > 0) {
        latencies.add(after - now);
      }
      now = after;
    }
    return latencies.percentileMs(0.5);
  }

  /**
   * The medians of both; the first of the two in turn, because the machine may change its speed.
   */
  private double[] medians(String name, RemoteBroker one, RemoteBroker all, Measure measure)
      throws InterruptedException {
    double[][] values = new double[2][ROUNDS];
    report.progress(name + ": warming up");
    warmUp(one, name, measure, WARM_UP_MS);
    warmUp(all, name, measure, CLUSTER_WARM_UP_MS);
    for (int round = 0; round < ROUNDS; round++) {
      for (int turn = 0; turn < 2; turn++) {
        int which = (round + turn) % 2;
        RemoteBroker broker = which == 0 ? one : all;
        values[which][round] = run(broker, name + "-" + round, measure, seconds * 1_000L);
        report.progress(
            "%s, %s: %,.2f"
                .formatted(name, which == 0 ? "one node" : "cluster", values[which][round]));
      }
    }
    for (double[] each : values) {
      Arrays.sort(each);
    }
    return new double[] {values[0][ROUNDS / 2], values[1][ROUNDS / 2]};
  }

  private static void warmUp(RemoteBroker broker, String name, Measure measure, long ms)
      throws InterruptedException {
    run(broker, name + "-warm-up", measure, ms);
  }

  private static double run(RemoteBroker broker, String queue, Measure measure, long ms)
      throws InterruptedException {
    Target target = new Target(() -> new BrokerSession(broker), true, 300, ms);
    double value = measure.run(broker, queue, target);
    broker.deleteQueue(queue).orThrow();
    return value;
  }
}
