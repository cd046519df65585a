package io.holdfast.cli.flows;

import io.holdfast.json.JsonCheck;
import io.holdfast.workflow.admin.FlowAdmin;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that start and control a flow. */
final class FlowControlCommands {
  private FlowControlCommands() {}

  /** Checks a value for a flow: invalid JSON would block the flow. */
  private static byte[] json(String option, String text) {
    byte[] bytes = text.strip().getBytes(StandardCharsets.UTF_8);
    if (!JsonCheck.isOneValue(bytes)) {
      throw new IllegalArgumentException(
          option
              + ": expected JSON, such as 12, {\"a\":1} or '\"a text\"', but got "
              + (text.isBlank() ? "nothing" : text));
    }
    return bytes;
  }

  /** The {@code flows start} command. */
  @Command(
      name = "start",
      description = "Start a flow; does nothing if a flow with this id exists.",
      footer = "  holdfast flows start order o-17 --input '{\"sum\":12}'")
  static final class Start implements Callable<Integer> {
    @Mixin private FlowOptions options;

    @Parameters(index = "0", paramLabel = "<name>", description = "Name of the flow definition.")
    private String name;

    @Parameters(index = "1", paramLabel = "<id>", description = "Flow id.")
    private String id;

    @Option(
        names = "--input",
        paramLabel = "<json>",
        defaultValue = "null",
        description = "Input as JSON (default: ${DEFAULT-VALUE}).")
    private String input;

    @Option(
        names = "--code-version",
        paramLabel = "<version>",
        description = "Version of the definition (default: the newest that the worker has).")
    private @Nullable String version;

    @Override
    public Integer call() {
      return options.send(
          id, "started", admin -> admin.start(name, version, id, json("--input", input)));
    }
  }

  /** The {@code flows raise} command. */
  @Command(
      name = "raise",
      description = "Raise an event for a flow, even before it is started.",
      footer = "  holdfast flows raise o-17 paid --data '{\"receipt\":\"r-1\"}' --event-id r-1")
  static final class Raise implements Callable<Integer> {
    @Mixin private FlowOptions.Target flow;

    @Parameters(index = "1", paramLabel = "<event>", description = "Event name.")
    private String event;

    @Option(
        names = "--data",
        paramLabel = "<json>",
        defaultValue = "null",
        description = "Event data as JSON (default: ${DEFAULT-VALUE}).")
    private String data;

    @Option(
        names = "--event-id",
        paramLabel = "<text>",
        description = "Deduplication id: a second event with the same id is ignored.")
    private @Nullable String eventId;

    @Override
    public Integer call() {
      return flow.send(
          "event raised", admin -> admin.raise(flow.id(), event, json("--data", data), eventId));
    }
  }

  /** A command about a flow, with a reason for its history. */
  abstract static class ReasonCommand implements Callable<Integer> {
    @Mixin private FlowOptions.Target flow;

    @Option(
        names = "--reason",
        paramLabel = "<text>",
        defaultValue = "asked for on the command line",
        description = "Reason, recorded in the history (default: ${DEFAULT-VALUE}).")
    private String reason;

    /** Sends the command. */
    interface Send {
      void send(FlowAdmin admin, String id, String reason);
    }

    private final String result;
    private final Send command;

    ReasonCommand(String result, Send command) {
      this.result = result;
      this.command = command;
    }

    @Override
    public final Integer call() {
      return flow.send(result, admin -> command.send(admin, flow.id(), reason));
    }
  }

  /** The {@code flows cancel} command. */
  @Command(
      name = "cancel",
      description = "Request the cancellation of a flow; its code can still run compensation.",
      footer = "  holdfast flows cancel o-17 --reason 'the customer called'")
  static final class Cancel extends ReasonCommand {
    Cancel() {
      super("cancellation requested", FlowAdmin::cancel);
    }
  }

  /** The {@code flows terminate} command. */
  @Command(
      name = "terminate",
      description = "End a flow and its activities at once, without running its code.",
      footer = "  holdfast flows terminate o-17 --reason 'stuck'")
  static final class Terminate extends ReasonCommand {
    Terminate() {
      super("termination requested", FlowAdmin::terminate);
    }
  }

  /** The {@code flows suspend} command. */
  @Command(
      name = "suspend",
      description = "Suspend a flow; events and results for it are kept.",
      footer = "  holdfast flows suspend o-17 --reason 'until the bank is back'")
  static final class Suspend extends ReasonCommand {
    Suspend() {
      super("suspension requested", FlowAdmin::suspend);
    }
  }

  /** The {@code flows resume} command. */
  @Command(
      name = "resume",
      description = "Resume a suspended flow.",
      footer = "  holdfast flows resume o-17")
  static final class Resume implements Callable<Integer> {
    @Mixin private FlowOptions.Target flow;

    @Override
    public Integer call() {
      return flow.send("resume requested", admin -> admin.resume(flow.id()));
    }
  }

  /** The {@code flows retry} command. */
  @Command(
      name = "retry",
      description = "Retry a blocked flow, or a failed flow from the point of its failure.",
      footer = {"  holdfast flows retry o-17", "  holdfast flows retry o-17 --from 4"})
  static final class Retry implements Callable<Integer> {
    @Mixin private FlowOptions.Target flow;

    @Option(
        names = "--from",
        paramLabel = "<n>",
        defaultValue = "-1",
        description = "Event number from which a failed flow is retried (default: its failure).")
    private long from;

    @Override
    public Integer call() {
      return flow.send("retry requested", admin -> admin.retry(flow.id(), from));
    }
  }
}
