package io.holdfast.cli.bench;

import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.ChildJvm;
import io.holdfast.bench.Report;
import io.holdfast.cli.options.Bounds;
import io.holdfast.cli.output.ExitCodes;
import io.holdfast.engine.EngineConfig.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of benchmarks, and how a benchmark runs. */
final class BenchOptions {
  /** A benchmark that is ready to run. */
  interface Run {
    void run() throws IOException, InterruptedException;
  }

  private static final String SERVE = "serve";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(names = "--json", description = "Print one line of JSON for each figure.")
  private boolean json;

  @Option(
      names = "--durability",
      paramLabel = "<promise>",
      defaultValue = "fsync",
      description = "Durability: fsync or os (default: ${DEFAULT-VALUE}).")
  private Durability durability = Durability.FSYNC;

  @Option(
      names = "--seconds",
      paramLabel = "<n>",
      defaultValue = "3",
      description = "Duration of each measurement in seconds (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--dir",
      paramLabel = "<dir>",
      description =
          "Directory for data (default: target if it exists, else the temporary directory).")
  private @Nullable Path directory;

  @Option(
      names = "--only",
      paramLabel = "<name>",
      split = ",",
      description = "Measure only these figures (default: all).")
  private Set<String> only = new LinkedHashSet<>();

  Durability durability() {
    return durability;
  }

  int seconds() {
    return seconds;
  }

  @Nullable Path directory() {
    return directory;
  }

  Set<String> only() {
    return only;
  }

  /** The command that starts a server in its own process: that of the launcher, if there is one. */
  List<String> serveCommand() {
    String launcher = System.getProperty("holdfast.launcher");
    return launcher == null
        ? new ChildJvm(spec.root().userObject().getClass()).command(List.of(SERVE)).command()
        : List.of(Path.of(launcher).toAbsolutePath().toString(), SERVE);
  }

  /** The error of an invalid setting, named as an option. */
  static String asOption(IllegalArgumentException invalid) {
    String error = String.valueOf(invalid.getMessage());
    return error.startsWith("--") ? error : "--" + error;
  }

  /** Creates a benchmark and runs it; returns the exit code. */
  int measure(Function<Report, Run> maker) throws IOException, InterruptedException {
    CommandLine commandLine = spec.commandLine();
    Run run;
    try {
      Bounds.check("--seconds", seconds, 1, Integer.MAX_VALUE);
      run = maker.apply(new Report(commandLine.getOut(), commandLine.getErr(), json));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(commandLine, asOption(e), e);
    }
    try {
      run.run();
      return ExitCodes.DONE;
    } catch (CheckFailedException e) {
      commandLine.getErr().println("check failed: " + e.getMessage());
      return ExitCodes.REFUSED;
    }
  }
}
