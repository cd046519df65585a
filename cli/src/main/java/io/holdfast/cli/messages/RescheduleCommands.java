package io.holdfast.cli.messages;

import io.holdfast.api.message.CancelRequest;
import io.holdfast.api.message.Moved;
import io.holdfast.api.message.RescheduleRequest;
import io.holdfast.cli.options.DurationConverter;
import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.options.TimeArgument;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.output.Labels;
import io.holdfast.cli.terminal.TextTable;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The commands that cancel or reschedule one message, in any state. */
public final class RescheduleCommands {
  private RescheduleCommands() {}

  private static CommandOutput output(Moved moved) {
    boolean cancelled = moved.visibleAtMs() == 0;
    return CommandOutput.line(
        (cancelled ? "cancelled " : "rescheduled ")
            + moved.id()
            + ", which was "
            + Labels.of(moved.state())
            + (cancelled ? "" : "; visible at " + TextTable.time(moved.visibleAtMs())),
        out ->
            out.put("id", moved.id())
                .put("state", Labels.json(moved.state()))
                .putTime("visibleAt", moved.visibleAtMs()));
  }

  /** The {@code cancel} command. */
  @Command(
      name = "cancel",
      description = "Cancel a message for all groups, in any state, even leased.",
      footer = {
        "  holdfast cancel 019b76da-a800-7000-8000-010000000001",
        "  holdfast cancel o-17 --queue orders"
      })
  public static final class Cancel implements Callable<Integer> {
    @Mixin private ServerOptions remote;
    @Mixin private MessageOptions message;

    @Override
    public Integer call() {
      return remote.show(
          broker -> output(broker.cancel(CancelRequest.of(message.ref())).orThrow()));
    }
  }

  /** The {@code reschedule} command. */
  @Command(
      name = "reschedule",
      description = "Change the time at which a message is delivered, in any state.",
      footer = {
        "  holdfast reschedule 019b76da-a800-7000-8000-010000000001 --delay 2h",
        "  holdfast reschedule 019b76da-a800-7000-8000-010000000001 --at 2026-12-24T18:00:00Z"
      })
  public static final class Reschedule implements Callable<Integer> {
    @Mixin private ServerOptions remote;
    @Mixin private MessageOptions message;

    @Option(
        names = "--delay",
        paramLabel = "<duration>",
        converter = DurationConverter.class,
        description = "Delay from now; 0s to deliver at once.")
    private @Nullable Long delayMs;

    @Option(
        names = "--at",
        paramLabel = "<time>",
        converter = TimeArgument.Converter.class,
        description = "Time of delivery, such as 2026-12-24T18:00:00Z.")
    private @Nullable TimeArgument at;

    @Override
    public Integer call() {
      return remote.show(
          broker -> {
            Long delay = delayMs;
            TimeArgument time = delay == null ? at : new TimeArgument(true, delay);
            if ((delay == null) == (at == null) || time == null) {
              throw new IllegalArgumentException(
                  "expected --delay or --at, but got " + (delay == null ? "neither" : "both"));
            }
            return output(
                broker.reschedule(new RescheduleRequest(message.ref(), time.at(broker))).orThrow());
          });
    }
  }
}
