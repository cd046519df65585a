package io.holdfast.cli;

import io.holdfast.bench.http.ClientRun;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The {@code bench client} command. */
@Command(
    name = "client",
    description = {
      "Measures the Java client against a server in a JVM of its own: producer, consumer, acks and"
          + " tasks.",
      "Exits with 1 if a check of what was measured failed; an aim that is missed is only shown."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {"  holdfast bench client"})
final class BenchClientCommand implements Callable<Integer> {
  @Mixin private MeasureOptions options;

  @Override
  public Integer call() throws IOException, InterruptedException {
    ServerLog.leaveOutTaskEvents();
    return options.measure(
        report ->
            new ClientRun(
                    report,
                    options.only(),
                    options.directory(),
                    ServeLaunch.command(),
                    options.durability(),
                    options.seconds())
                ::run);
  }
}
