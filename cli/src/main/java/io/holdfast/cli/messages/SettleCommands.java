package io.holdfast.cli.messages;

import io.holdfast.api.lease.Settle.Outcome;
import io.holdfast.cli.options.DurationConverter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The commands that settle the messages of a lease. */
public final class SettleCommands {
  private SettleCommands() {}

  /** The {@code ack} command. */
  @Command(
      name = "ack",
      description = "Acknowledge messages of a lease.",
      footer = {
        "  holdfast ack 5nQ2rW8sT1k",
        "  holdfast ack 5nQ2rW8sT1k 019b76da-a800-7000-8000-010000000001"
      })
  public static final class Ack implements Callable<Integer> {
    @Mixin private SettleOptions lease;

    @Override
    public Integer call() {
      return lease.settle(Outcome.ACK, null, null, false);
    }
  }

  /** The {@code nack} command. */
  @Command(
      name = "nack",
      description = "Mark messages of a lease as failed: they are retried, or become dead letters.",
      footer = {
        "  holdfast nack 5nQ2rW8sT1k --error 'no stock'",
        "  holdfast nack 5nQ2rW8sT1k --delay 5m",
        "  holdfast nack 5nQ2rW8sT1k --dead --error 'no such customer'"
      })
  public static final class Nack implements Callable<Integer> {
    @Mixin private SettleOptions lease;

    @Option(
        names = "--error",
        paramLabel = "<text>",
        description = "Error text, kept with the attempt.")
    private @Nullable String error;

    @Option(
        names = "--delay",
        paramLabel = "<duration>",
        converter = DurationConverter.class,
        description = "Delay before the retry (default: the queue's retryDelay).")
    private @Nullable Long delayMs;

    @Option(
        names = "--rest",
        description =
            "Also return the later messages of the same partition, without counting a failure.")
    private boolean rest;

    @Option(names = "--dead", description = "Do not retry: move the messages to the dead letters.")
    private boolean dead;

    @Override
    public Integer call() {
      return lease.settle(dead ? Outcome.KILL : Outcome.NACK, error, delayMs, rest);
    }
  }

  /** The {@code release} command. */
  @Command(
      name = "release",
      description = "Return messages of a lease to the queue without counting a failure.",
      footer = {"  holdfast release 5nQ2rW8sT1k", "  holdfast release 5nQ2rW8sT1k --delay 30s"})
  public static final class Release implements Callable<Integer> {
    @Mixin private SettleOptions lease;

    @Option(
        names = "--delay",
        paramLabel = "<duration>",
        converter = DurationConverter.class,
        description = "Delay before the next delivery (default: none).")
    private @Nullable Long delayMs;

    @Option(names = "--rest", description = "Also return the later messages of the same partition.")
    private boolean rest;

    @Override
    public Integer call() {
      return lease.settle(Outcome.RELEASE, null, delayMs, rest);
    }
  }
}
