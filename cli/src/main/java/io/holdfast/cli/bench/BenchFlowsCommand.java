package io.holdfast.cli.bench;

import io.holdfast.bench.flows.FlowsRun;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The {@code bench flows} command. */
@Command(
    name = "flows",
    description = {
      "Measure durable flows on an embedded broker and on a server process.",
      "Measures flows and activities per second, latency and memory.",
      "Exits with 1 if a check of the results fails; a missed target is only reported."
    },
    footer = {"  holdfast bench flows --seconds 10"})
final class BenchFlowsCommand implements Callable<Integer> {
  @Mixin private BenchOptions options;

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
