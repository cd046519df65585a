package io.holdfast.cli;

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
      "Piles up messages in a JVM with a small heap, and measures what that costs.",
      "Exits with 1 if a check of what was measured failed; an aim that is missed is only shown."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {"  holdfast bench backlog --messages 1000000"})
final class BenchBacklogCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print one line of JSON for each figure.")
  private boolean json;

  @Option(
      names = "--messages",
      paramLabel = "<n>",
      defaultValue = "10000000",
      description = "How many messages wait (default: ${DEFAULT-VALUE}).")
  private long messages;

  @Option(
      names = "--delayed",
      paramLabel = "<n>",
      defaultValue = "1000000",
      description = "How many messages are delayed (default: ${DEFAULT-VALUE}).")
  private long delayed;

  @Option(
      names = "--partitions",
      paramLabel = "<n>",
      defaultValue = "100000",
      description = "How many partitions hold one message each (default: ${DEFAULT-VALUE}).")
  private long partitions;

  @Option(
      names = "--dir",
      paramLabel = "<dir>",
      description = "Where to write (default: target if there is one, else the temporary files).")
  private @Nullable Path directory;

  @Override
  public Integer call() throws IOException, InterruptedException {
    BacklogSize size;
    try {
      size = new BacklogSize(messages, delayed, partitions);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--" + e.getMessage(), e);
    }
    return BacklogChild.launch(size, directory, json);
  }
}
