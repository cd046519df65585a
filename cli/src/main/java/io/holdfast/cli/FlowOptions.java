package io.holdfast.cli;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.cli.terminal.Text;
import io.holdfast.server.http.JsonOut;
import io.holdfast.workflow.FlowsConfig;
import io.holdfast.workflow.admin.FlowAdmin;
import java.util.function.Consumer;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of all commands about flows. */
final class FlowOptions {
  @Mixin private RemoteOptions remote;

  @Option(
      names = "--prefix",
      paramLabel = "<name>",
      defaultValue = FlowsConfig.PREFIX,
      description = "How the names of these flows' queues begin (default: ${DEFAULT-VALUE}).")
  private String prefix;

  /** The one flow that a command is about. */
  static final class One {
    @Mixin private FlowOptions options;

    @Parameters(index = "0", paramLabel = "<id>", description = "The flow.")
    private String id;

    FlowOptions options() {
      return options;
    }

    String id() {
      return id;
    }

    /** Does something to it, and says that it is on its way. */
    int tell(String what, Consumer<FlowAdmin> act) {
      return options.tell(id, what, act);
    }
  }

  /** Why something is done to a flow. */
  static final class Reason {
    @Option(
        names = "--reason",
        paramLabel = "<text>",
        defaultValue = "asked for on the command line",
        description = "Why, for its history.")
    private String text;

    String text() {
      return text;
    }
  }

  /** Asks about flows, and prints what there is to tell. */
  int show(Function<FlowAdmin, Told> question) {
    return remote.show(broker -> question.apply(admin(broker)));
  }

  FlowAdmin admin(Broker broker) {
    return new FlowAdmin(broker, prefix, TimeSource.SYSTEM);
  }

  /** Does something to a flow, and says that it is on its way. */
  int tell(String id, String what, Consumer<FlowAdmin> act) {
    return show(
        admin -> {
          act.accept(admin);
          return Told.of(
              () -> new JsonOut().beginObject().put("id", id).endObject(),
              () -> new Text().line("flow ", id, " ", what));
        });
  }

  RemoteOptions remote() {
    return remote;
  }

  String prefix() {
    return prefix;
  }
}
