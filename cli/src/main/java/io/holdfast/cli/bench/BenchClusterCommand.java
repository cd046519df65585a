package io.holdfast.cli.bench;

import io.holdfast.bench.BenchDirectory;
import io.holdfast.bench.cluster.ClusterRun;
import io.holdfast.bench.cluster.ClusterSpeed;
import io.holdfast.bench.cluster.Fault;
import io.holdfast.cli.options.Bounds;
import io.holdfast.cli.output.ExitCodes;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code bench cluster} command. */
@Command(
    name = "cluster",
    description = {
      "Run a cluster under load, disturb its nodes and their network, and check every answer.",
      "At the end the data of all nodes are compared. Exits with 1 if an acknowledged change was"
          + " lost, undone or done twice, or nodes differ; the data directory is then kept.",
      "With --speed, measure a cluster and one node in turns in place of that."
    },
    footer = {
      "  holdfast bench cluster --seconds 600",
      "  holdfast bench cluster --faults cut_leader,change_members --seed 42",
      "  holdfast bench cluster --speed --seconds 2"
    })
final class BenchClusterCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private BenchOptions options;

  @Option(
      names = "--nodes",
      paramLabel = "<n>",
      defaultValue = "3",
      description = "Number of nodes (default: ${DEFAULT-VALUE}).")
  private int nodes;

  @Option(
      names = "--faults",
      paramLabel = "<fault>",
      split = ",",
      defaultValue =
          "kill_leader,cut_leader,pause_leader,kill_one,cut_from_leader,pause_one,cut_to_leader,"
              + "change_members,kill_all,cut_pair,pause_all,rolling_restart,cut_one,slow_links",
      description = {
        "Faults to inject, in turns: ${COMPLETION-CANDIDATES}",
        "(default: ${DEFAULT-VALUE})."
      })
  private List<Fault> faults = new ArrayList<>();

  @Option(names = "--speed", description = "Measure publishing, flow and latency beside one node.")
  private boolean speed;

  @Option(
      names = "--seed",
      paramLabel = "<n>",
      description = "Random seed (default: from the clock; it is printed).")
  private @Nullable Long seed;

  @Override
  public Integer call() throws IOException, InterruptedException {
    CommandLine commandLine = spec.commandLine();
    Bounds.check("--nodes", nodes, 1, 9);
    if (speed) {
      return speed();
    }
    PrintWriter out = commandLine.getOut();
    PrintWriter err = commandLine.getErr();
    long start = seed == null ? System.nanoTime() : seed;
    out.println("seed " + start);
    out.flush();
    try (BenchDirectory work = BenchDirectory.in(options.directory())) {
      ClusterRun.Plan plan =
          new ClusterRun.Plan(
              options.serveCommand(), work.path(), nodes, options.seconds(), faults, start);
      ClusterRun.Summary summary = new ClusterRun(plan, line -> say(err, line)).run();
      print(out, summary);
      if (summary.violations().isEmpty()) {
        return ExitCodes.DONE;
      }
      work.keep();
      out.println("the data directory is kept: " + work.path());
      return ExitCodes.REFUSED;
    } finally {
      out.flush();
    }
  }

  private int speed() throws IOException, InterruptedException {
    try (BenchDirectory work = BenchDirectory.in(options.directory())) {
      return options.measure(
          report ->
              new ClusterSpeed(
                      report,
                      options.only(),
                      options.serveCommand(),
                      work.path(),
                      nodes,
                      options.seconds())
                  ::run);
    }
  }

  private static void say(PrintWriter err, String line) {
    err.println(line);
    err.flush();
  }

  private static void print(PrintWriter out, ClusterRun.Summary summary) {
    out.println("calls                 " + summary.calls());
    out.println("  without an answer   " + summary.unanswered());
    out.println("flows                 " + summary.flows());
    for (Map.Entry<Fault, List<Long>> outages : summary.outages().entrySet()) {
      long[] ms = ClusterRun.Summary.medianAndMax(outages.getValue());
      out.println(
          String.format(
              "%-21s %d times, no push accepted for %d ms (median), %d ms (longest)",
              outages.getKey().title(), outages.getValue().size(), ms[0], ms[1]));
    }
    out.println("violations            " + summary.violations().size());
    summary.violations().forEach(violation -> out.println("  " + violation));
  }
}
