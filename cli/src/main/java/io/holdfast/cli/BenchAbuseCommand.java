package io.holdfast.cli;

import io.holdfast.bench.abuse.AbuseRun;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code bench abuse} command. */
@Command(
    name = "abuse",
    description = {
      "Measures an honest client alone, and beside connections that send slowly or never read.",
      "Exits with 1 if one of those is not cut off; an aim that is missed is only shown."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {"  holdfast bench abuse", "  holdfast bench abuse --connections 500 --json"})
final class BenchAbuseCommand implements Callable<Integer> {
  @Mixin private MeasureOptions options;

  @Option(
      names = "--connections",
      paramLabel = "<n>",
      defaultValue = "2000",
      description = "How many connections are held (default: ${DEFAULT-VALUE}).")
  private int connections;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return options.measure(
        report ->
            new AbuseRun(
                    report,
                    new AbuseRun.Plan(
                        options.directory(), options.durability(), connections, options.seconds()))
                ::run);
  }
}
