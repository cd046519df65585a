package io.holdfast.cli.bench;

import io.holdfast.bench.http.HttpPlan;
import io.holdfast.bench.http.HttpRun;
import io.holdfast.bench.http.Wire;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code bench http} command. */
@Command(
    name = "http",
    description = {
      "Measure a server process over HTTP, and an embedded broker for comparison.",
      "Exits with 1 if a check of the results fails; a missed target is only reported."
    },
    footer = {"  holdfast bench http --only http-push-single-1 --json"})
final class BenchHttpCommand implements Callable<Integer> {
  @Mixin private BenchOptions options;

  @Option(
      names = "--client",
      paramLabel = "<kind>",
      defaultValue = "socket",
      description =
          "HTTP client: socket, a minimal client, or jdk, that of the JDK (default: ${DEFAULT-VALUE}).")
  private Wire.Kind client = Wire.Kind.SOCKET;

  @Option(
      names = "--server-option",
      paramLabel = "<option>",
      description = "JVM option of the server, such as -Xmx256m; may be repeated.")
  private List<String> serverOptions = new ArrayList<>();

  @Option(
      names = "--messages",
      paramLabel = "<n>",
      defaultValue = "1000000",
      description = "Messages pushed before memory is measured (default: ${DEFAULT-VALUE}).")
  private long messages;

  @Option(
      names = "--idle-seconds",
      paramLabel = "<n>",
      defaultValue = "60",
      description = "Idle seconds before memory is measured again (default: ${DEFAULT-VALUE}).")
  private int idleSeconds;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return options.measure(
        report ->
            new HttpRun(
                    report,
                    options.only(),
                    new HttpPlan(
                        options.directory(),
                        options.durability(),
                        options.seconds(),
                        client,
                        serverOptions,
                        options.serveCommand(),
                        messages,
                        idleSeconds))
                ::run);
  }
}
