package io.holdfast.cli.bench;

import io.holdfast.bench.backlog.BacklogChild;
import io.holdfast.bench.backlog.BacklogSize;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code bench backlog} command. */
@Command(
    name = "backlog",
    description = {
      "Measure the cost of a large backlog in a JVM with a small heap.",
      "Exits with 1 if a check of the results fails; a missed target is only reported."
    },
    footer = {"  holdfast bench backlog --messages 1000000"})
final class BenchBacklogCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print one line of JSON for each figure.")
  private boolean json;

  @Option(
      names = "--messages",
      paramLabel = "<n>",
      defaultValue = "10000000",
      description = "Number of waiting messages (default: ${DEFAULT-VALUE}).")
  private long messages;

  @Option(
      names = "--delayed",
      paramLabel = "<n>",
      defaultValue = "1000000",
      description = "Number of delayed messages (default: ${DEFAULT-VALUE}).")
  private long delayed;

  @Option(
      names = "--partitions",
      paramLabel = "<n>",
      defaultValue = "100000",
      description = "Number of partitions with one message each (default: ${DEFAULT-VALUE}).")
  private long partitions;

  @Option(
      names = "--dir",
      paramLabel = "<dir>",
      description =
          "Directory for data (default: target if it exists, else the temporary directory).")
  private @Nullable Path directory;

  @Override
  public Integer call() throws IOException, InterruptedException {
    BacklogSize size;
    try {
      size = new BacklogSize(messages, delayed, partitions);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), BenchOptions.asOption(e), e);
    }
    return BacklogChild.launch(size, directory, json);
  }
}
