package io.holdfast.cli.bench;

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
      "Measure a client alone, and next to connections that send slowly or never read.",
      "Exits with 1 if such a connection is not closed; a missed target is only reported."
    },
    footer = {"  holdfast bench abuse", "  holdfast bench abuse --connections 500 --json"})
final class BenchAbuseCommand implements Callable<Integer> {
  @Mixin private BenchOptions options;

  @Option(
      names = "--connections",
      paramLabel = "<n>",
      defaultValue = "2000",
      description = "Number of abusive connections (default: ${DEFAULT-VALUE}).")
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
