package io.holdfast.cli;

import io.holdfast.api.message.CancelRequest;
import io.holdfast.api.message.Moved;
import io.holdfast.api.message.RescheduleRequest;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.server.http.JsonOut;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The commands that take one message back or put it off, in whatever state it is. */
final class MoveCommands {
  private MoveCommands() {}

  private static Told told(Moved moved) {
    boolean cancelled = moved.visibleAtMs() == 0;
    return Told.of(
        () ->
            new JsonOut()
                .beginObject()
                .put("id", moved.id())
                .put("state", Words.json(moved.state()))
                .putTime("visibleAt", moved.visibleAtMs())
                .endObject(),
        () ->
            new Text()
                .line(
                    (cancelled ? "cancelled " : "rescheduled ")
                        + moved.id()
                        + ", which was "
                        + Words.of(moved.state())
                        + (cancelled
                            ? ""
                            : "; it is visible from "
                                + TextTable.time(moved.visibleAtMs())
                                + " on")));
  }

  /** The {@code cancel} command. */
  @Command(
      name = "cancel",
      description = "Takes a message back for all groups, in any state; a leased one too.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = {
        "  holdfast cancel 019b76da-a800-7000-8000-010000000001",
        "  holdfast cancel o-17 --queue orders"
      })
  static final class Cancel implements Callable<Integer> {
    @Mixin private RemoteOptions remote;
    @Mixin private MessageOptions message;

    @Override
    public Integer call() {
      return remote.show(broker -> told(broker.cancel(CancelRequest.of(message.ref())).orThrow()));
    }
  }

  /** The {@code reschedule} command. */
  @Command(
      name = "reschedule",
      description = "Makes a message visible at another time, in any state.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = {
        "  holdfast reschedule 019b76da-a800-7000-8000-010000000001 --delay 2h",
        "  holdfast reschedule 019b76da-a800-7000-8000-010000000001 --at 2026-12-24T18:00:00Z"
      })
  static final class Reschedule implements Callable<Integer> {
    @Mixin private RemoteOptions remote;
    @Mixin private MessageOptions message;

    @Option(
        names = "--delay",
        paramLabel = "<duration>",
        converter = DurationText.class,
        description = "This long from now; 0s for now.")
    private @Nullable Long delayMs;

    @Option(
        names = "--at",
        paramLabel = "<time>",
        converter = Moment.Text.class,
        description = "Or at this time.")
    private @Nullable Moment at;

    @Override
    public Integer call() {
      return remote.show(
          broker -> {
            Long delay = delayMs;
            Moment moment = delay == null ? at : new Moment(true, delay);
            if ((delay == null) == (at == null) || moment == null) {
              throw new IllegalArgumentException(
                  "--delay: expected it or --at, but got " + (delay == null ? "neither" : "both"));
            }
            return told(
                broker
                    .reschedule(new RescheduleRequest(message.ref(), moment.at(broker)))
                    .orThrow());
          });
    }
  }
}
