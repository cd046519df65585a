package io.holdfast.cli;

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
      "Measures pushes to one queue while operations go over all partitions of another one.",
      "Exits with 1 if an operation does not end; an aim that is missed is only shown."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {"  holdfast bench steps", "  holdfast bench steps --partitions 20000 --json"})
final class BenchStepsCommand implements Callable<Integer> {
  @Mixin private MeasureOptions options;

  @Option(
      names = "--partitions",
      paramLabel = "<n>",
      defaultValue = "200000",
      description = "How many partitions the other queue has (default: ${DEFAULT-VALUE}).")
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
