package io.holdfast.cli;

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
      "Measures a server in a JVM of its own over HTTP, beside an embedded broker.",
      "Exits with 1 if a check of what was measured failed; an aim that is missed is only shown."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {"  holdfast bench http --only http-push-single-1 --json"})
final class BenchHttpCommand implements Callable<Integer> {
  @Mixin private MeasureOptions options;

  @Option(
      names = "--client",
      paramLabel = "<kind>",
      defaultValue = "socket",
      description =
          "What asks with JSON: socket, a lean client of the bench, or jdk, the JDK's"
              + " (default: ${DEFAULT-VALUE}).")
  private Wire.Kind client = Wire.Kind.SOCKET;

  @Option(
      names = "--server-option",
      paramLabel = "<option>",
      description = "An option of the server's JVM, such as -Xmx256m; may be repeated.")
  private List<String> serverOptions = new ArrayList<>();

  @Option(
      names = "--messages",
      paramLabel = "<n>",
      defaultValue = "1000000",
      description = "Messages that go in before memory is read (default: ${DEFAULT-VALUE}).")
  private long messages;

  @Option(
      names = "--idle-seconds",
      paramLabel = "<n>",
      defaultValue = "60",
      description =
          "How long the server is then idle before memory is read again (default:"
              + " ${DEFAULT-VALUE}).")
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
                        ServeLaunch.command(),
                        messages,
                        idleSeconds))
                ::run);
  }
}
