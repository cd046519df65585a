package io.holdfast.cli;

import io.holdfast.server.http.JsonCheck;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands of {@code flows} that start a flow or tell it something. */
final class FlowsTellCommands {
  private FlowsTellCommands() {}

  /** A value for a flow; what is not JSON would block it when it reads that. */
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
      description = "Starts a flow; a repeat changes nothing.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  holdfast flows start order o-17 --input '{\"sum\":12}'")
  static final class Start implements Callable<Integer> {
    @Mixin private FlowOptions options;

    @Parameters(index = "0", paramLabel = "<name>", description = "What its code is called.")
    private String name;

    @Parameters(index = "1", paramLabel = "<id>", description = "Its id.")
    private String id;

    @Option(
        names = "--input",
        paramLabel = "<json>",
        defaultValue = "null",
        description = "What it is given (default: ${DEFAULT-VALUE}).")
    private String input;

    @Option(
        names = "--code-version",
        paramLabel = "<version>",
        description = "The version of its code; else the newest that its worker knows.")
    private @Nullable String version;

    @Override
    public Integer call() {
      return options.tell(
          id, "is started", admin -> admin.start(name, version, id, json("--input", input)));
    }
  }

  /** The {@code flows raise} command. */
  @Command(
      name = "raise",
      description = "Raises an event for a flow, also before its start.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  holdfast flows raise o-17 paid --data '{\"receipt\":\"r-1\"}' --event-id r-1")
  static final class Raise implements Callable<Integer> {
    @Mixin private FlowOptions.One flow;

    @Parameters(index = "1", paramLabel = "<event>", description = "What the event is called.")
    private String event;

    @Option(
        names = "--data",
        paramLabel = "<json>",
        defaultValue = "null",
        description = "What it brings (default: ${DEFAULT-VALUE}).")
    private String data;

    @Option(
        names = "--event-id",
        paramLabel = "<text>",
        description = "Makes a repeat of this event harmless.")
    private @Nullable String eventId;

    @Override
    public Integer call() {
      return flow.tell(
          "is told", admin -> admin.raise(flow.id(), event, json("--data", data), eventId));
    }
  }

  /** The {@code flows cancel} command. */
  @Command(
      name = "cancel",
      description = "Asks a flow to end; its code may still make good for what it did.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  holdfast flows cancel o-17 --reason 'the customer called'")
  static final class Cancel implements Callable<Integer> {
    @Mixin private FlowOptions.One flow;
    @Mixin private FlowOptions.Reason reason;

    @Override
    public Integer call() {
      return flow.tell("is asked to end", admin -> admin.cancel(flow.id(), reason.text()));
    }
  }

  /** The {@code flows terminate} command. */
  @Command(
      name = "terminate",
      description = "Ends a flow without its code, and what it has under way.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  holdfast flows terminate o-17 --reason 'stuck'")
  static final class Terminate implements Callable<Integer> {
    @Mixin private FlowOptions.One flow;
    @Mixin private FlowOptions.Reason reason;

    @Override
    public Integer call() {
      return flow.tell("is to be ended", admin -> admin.terminate(flow.id(), reason.text()));
    }
  }

  /** The {@code flows suspend} command. */
  @Command(
      name = "suspend",
      description = "Makes a flow stop for now; what comes for it is kept.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  holdfast flows suspend o-17 --reason 'until the bank is back'")
  static final class Suspend implements Callable<Integer> {
    @Mixin private FlowOptions.One flow;
    @Mixin private FlowOptions.Reason reason;

    @Override
    public Integer call() {
      return flow.tell("is asked to stop", admin -> admin.suspend(flow.id(), reason.text()));
    }
  }

  /** The {@code flows resume} command. */
  @Command(
      name = "resume",
      description = "Lets a suspended flow go on.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  holdfast flows resume o-17")
  static final class Resume implements Callable<Integer> {
    @Mixin private FlowOptions.One flow;

    @Override
    public Integer call() {
      return flow.tell("is asked to go on", admin -> admin.resume(flow.id()));
    }
  }

  /** The {@code flows retry} command. */
  @Command(
      name = "retry",
      description = "Lets a blocked flow go on, or a failed one from its failure.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = {"  holdfast flows retry o-17", "  holdfast flows retry o-17 --from 4"})
  static final class Retry implements Callable<Integer> {
    @Mixin private FlowOptions.One flow;

    @Option(
        names = "--from",
        paramLabel = "<n>",
        defaultValue = "-1",
        description = "The event of a failed one that is to happen again; else its failure.")
    private long from;

    @Override
    public Integer call() {
      return flow.tell("is asked to go on", admin -> admin.retry(flow.id(), from));
    }
  }
}
