package io.holdfast.cli;

import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.Report;
import io.holdfast.bench.http.HttpRun;
import io.holdfast.bench.http.Wire;
import io.holdfast.engine.EngineConfig.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code bench http} command. */
@Command(
    name = "http",
    description = {
      "Measures a server in a JVM of its own over HTTP, beside an embedded broker.",
      "Exits with 1 if a check of what was measured failed; an aim that is missed is only shown."
    },
    mixinStandardHelpOptions = true)
final class BenchHttpCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print one line of JSON for each figure.")
  private boolean json;

  @Option(
      names = "--durability",
      paramLabel = "<promise>",
      defaultValue = "fsync",
      description = "What an answer promises: fsync or os (default: ${DEFAULT-VALUE}).")
  private Durability durability = Durability.FSYNC;

  @Option(
      names = "--seconds",
      paramLabel = "<n>",
      defaultValue = "3",
      description = "How long each figure is measured (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--dir",
      paramLabel = "<dir>",
      description = "Where to write (default: target if there is one, else the temporary files).")
  private @Nullable Path directory;

  @Option(
      names = "--only",
      paramLabel = "<name>",
      split = ",",
      description = "Measure only these figures (default: all).")
  private Set<String> only = new LinkedHashSet<>();

  @Option(
      names = "--client",
      paramLabel = "<kind>",
      defaultValue = "socket",
      description =
          "What asks: socket, a lean client of the bench, or jdk, the JDK's"
              + " (default: ${DEFAULT-VALUE}).")
  private Wire.Kind client = Wire.Kind.SOCKET;

  @Option(
      names = "--server-option",
      paramLabel = "<option>",
      description = "An option of the server's JVM, such as -Xmx256m; may be repeated.")
  private List<String> serverOptions = new ArrayList<>();

  @Override
  public Integer call() throws IOException, InterruptedException {
    CommandLine commandLine = spec.commandLine();
    if (seconds < 1) {
      throw new ParameterException(
          commandLine, "--seconds: expected 1 or more, but got " + seconds);
    }
    HttpRun run;
    try {
      run =
          new HttpRun(
              new Report(commandLine.getOut(), commandLine.getErr(), json),
              only,
              new HttpRun.Plan(directory, durability, seconds, client, serverOptions));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(commandLine, "--" + e.getMessage(), e);
    }
    try {
      run.run();
      return CommandLine.ExitCode.OK;
    } catch (CheckFailedException e) {
      commandLine.getErr().println("check failed: " + e.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    }
  }
}
