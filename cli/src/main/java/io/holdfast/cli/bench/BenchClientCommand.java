package io.holdfast.cli.bench;

import io.holdfast.bench.http.ClientRun;
import io.holdfast.cli.output.TaskEventLog;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The {@code bench client} command. */
@Command(
    name = "client",
    description = {
      "Measure the Java client against a server process: producer, consumer, acks and tasks.",
      "Exits with 1 if a check of the results fails; a missed target is only reported."
    },
    footer = {"  holdfast bench client"})
final class BenchClientCommand implements Callable<Integer> {
  @Mixin private BenchOptions options;

  @Override
  public Integer call() throws IOException, InterruptedException {
    TaskEventLog.disable();
    return options.measure(
        report ->
            new ClientRun(
                    report,
                    options.only(),
                    options.directory(),
                    options.serveCommand(),
                    options.durability(),
                    options.seconds())
                ::run);
  }
}
