package io.holdfast.cli;

import io.holdfast.bench.flows.FlowsRun;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The {@code bench flows} command. */
@Command(
    name = "flows",
    description = {
      "Measures durable flows, on a broker of this process and on a server in a JVM of its own:"
          + " flows and activities a second, latency, and memory.",
      "Exits with 1 if a check of what was measured failed; an aim that is missed is only shown."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {"  holdfast bench flows --seconds 10"})
final class BenchFlowsCommand implements Callable<Integer> {
  @Mixin private MeasureOptions options;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return options.measure(
        report ->
            new FlowsRun(
                    report,
                    options.only(),
                    options.directory(),
                    options.durability(),
                    options.seconds())
                ::run);
  }
}
