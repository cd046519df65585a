package io.holdfast.cli.bench;

import io.holdfast.bench.dashboard.DashboardRun;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code bench dashboard} command. */
@Command(
    name = "dashboard",
    description = {
      "Measure the response times of the dashboard pages on a large, busy broker.",
      "Also measures the message throughput with and without open pages. Exits with 1 if a request"
          + " of a page fails; a missed target is only reported."
    },
    footer = {"  holdfast bench dashboard", "  holdfast bench dashboard --queues 1000 --json"})
final class BenchDashboardCommand implements Callable<Integer> {
  @Mixin private BenchOptions options;

  @Option(
      names = "--queues",
      paramLabel = "<n>",
      defaultValue = "10000",
      description = "Number of queues and of tasks (default: ${DEFAULT-VALUE}).")
  private int queues;

  @Option(
      names = "--dead",
      paramLabel = "<n>",
      defaultValue = "100000",
      description = "Number of dead letters (default: ${DEFAULT-VALUE}).")
  private int dead;

  @Option(
      names = "--rate",
      paramLabel = "<n>",
      defaultValue = "5000",
      description = "Messages per second while pages are requested (default: ${DEFAULT-VALUE}).")
  private int rate;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return options.measure(
        report ->
            new DashboardRun(
                    report,
                    new DashboardRun.Plan(
                        options.directory(),
                        options.durability(),
                        queues,
                        dead,
                        rate,
                        options.seconds()))
                ::run);
  }
}
