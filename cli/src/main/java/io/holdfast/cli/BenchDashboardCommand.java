package io.holdfast.cli;

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
      "Measures how soon each page of the dashboard has its answers from a broker that holds much and",
      "works, and how many messages flow with pages open and without.",
      "Exits with 1 if a call of a page fails; an aim that is missed is only shown."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {"  holdfast bench dashboard", "  holdfast bench dashboard --queues 1000 --json"})
final class BenchDashboardCommand implements Callable<Integer> {
  @Mixin private MeasureOptions options;

  @Option(
      names = "--queues",
      paramLabel = "<n>",
      defaultValue = "10000",
      description = "How many queues there are, and tasks (default: ${DEFAULT-VALUE}).")
  private int queues;

  @Option(
      names = "--dead",
      paramLabel = "<n>",
      defaultValue = "100000",
      description = "How many dead letters (default: ${DEFAULT-VALUE}).")
  private int dead;

  @Option(
      names = "--rate",
      paramLabel = "<n>",
      defaultValue = "5000",
      description = "Messages per second while pages are asked for (default: ${DEFAULT-VALUE}).")
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
