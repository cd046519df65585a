package io.holdfast.cli;

import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.Report;
import io.holdfast.engine.EngineConfig.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What the commands that measure have in common: how long, where, and how it is told. */
final class MeasureOptions {
  /** A run that is ready to begin. */
  interface Run {
    void run() throws IOException, InterruptedException;
  }

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

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

  /** Makes a run and lets it run; answers the code to exit with. */
  int measure(Function<Report, Run> maker) throws IOException, InterruptedException {
    CommandLine commandLine = spec.commandLine();
    if (seconds < 1) {
      throw new ParameterException(
          commandLine, "--seconds: expected 1 or more, but got " + seconds);
    }
    Run run;
    try {
      run = maker.apply(new Report(commandLine.getOut(), commandLine.getErr(), json));
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
