package io.holdfast.cli.bench;

import io.holdfast.bench.steps.StepsRun;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code bench steps} command. */
@Command(
    name = "steps",
    description = {
      "Measure pushes to a queue during operations over all partitions of another queue.",
      "Exits with 1 if an operation does not end; a missed target is only reported."
    },
    footer = {"  holdfast bench steps", "  holdfast bench steps --partitions 20000 --json"})
final class BenchStepsCommand implements Callable<Integer> {
  @Mixin private BenchOptions options;

  @Option(
      names = "--partitions",
      paramLabel = "<n>",
      defaultValue = "200000",
      description = "Number of partitions of the other queue (default: ${DEFAULT-VALUE}).")
  private int partitions;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return options.measure(
        report ->
            new StepsRun(
                    report,
                    new StepsRun.Plan(
                        options.directory(), options.durability(), partitions, options.seconds()))
                ::run);
  }
}
