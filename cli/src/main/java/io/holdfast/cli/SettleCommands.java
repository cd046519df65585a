package io.holdfast.cli;

import io.holdfast.api.lease.Settle.Outcome;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The commands that end what 'pop' began. */
final class SettleCommands {
  private SettleCommands() {}

  /** The {@code ack} command. */
  @Command(
      name = "ack",
      description = "Says that messages of a lease are done.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = {
        "  holdfast ack 5nQ2rW8sT1k",
        "  holdfast ack 5nQ2rW8sT1k 019b76da-a800-7000-8000-010000000001"
      })
  static final class Ack implements Callable<Integer> {
    @Mixin private LeaseOptions lease;

    @Override
    public Integer call() {
      return lease.settle(Outcome.ACK, null, null, false);
    }
  }

  /** The {@code nack} command. */
  @Command(
      name = "nack",
      description = "Says that messages of a lease failed: they are retried, or die.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = {
        "  holdfast nack 5nQ2rW8sT1k --error 'no stock'",
        "  holdfast nack 5nQ2rW8sT1k --delay 5m",
        "  holdfast nack 5nQ2rW8sT1k --dead --error 'no such customer'"
      })
  static final class Nack implements Callable<Integer> {
    @Mixin private LeaseOptions lease;

    @Option(
        names = "--error",
        paramLabel = "<text>",
        description = "What went wrong, kept with the attempt.")
    private @Nullable String error;

    @Option(
        names = "--delay",
        paramLabel = "<duration>",
        converter = DurationText.class,
        description = "Retry after this long (default: as the queue's retryDelay says).")
    private @Nullable Long delayMs;

    @Option(
        names = "--rest",
        description = "The later messages of the same partition return as well, uncharged.")
    private boolean rest;

    @Option(names = "--dead", description = "Do not retry: make dead letters of them now.")
    private boolean dead;

    @Override
    public Integer call() {
      return lease.settle(dead ? Outcome.KILL : Outcome.NACK, error, delayMs, rest);
    }
  }

  /** The {@code release} command. */
  @Command(
      name = "release",
      description = "Gives messages of a lease back, as if they had not been taken.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = {"  holdfast release 5nQ2rW8sT1k", "  holdfast release 5nQ2rW8sT1k --delay 30s"})
  static final class Release implements Callable<Integer> {
    @Mixin private LeaseOptions lease;

    @Option(
        names = "--delay",
        paramLabel = "<duration>",
        converter = DurationText.class,
        description = "They come back only after this long (default: at once).")
    private @Nullable Long delayMs;

    @Option(
        names = "--rest",
        description = "The later messages of the same partition return as well.")
    private boolean rest;

    @Override
    public Integer call() {
      return lease.settle(Outcome.RELEASE, null, delayMs, rest);
    }
  }
}
