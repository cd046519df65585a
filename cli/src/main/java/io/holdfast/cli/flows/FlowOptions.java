package io.holdfast.cli.flows;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.workflow.FlowsConfig;
import io.holdfast.workflow.admin.FlowAdmin;
import java.util.function.Consumer;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of all commands about flows. */
final class FlowOptions {
  @Mixin private ServerOptions remote;

  @Option(
      names = "--prefix",
      paramLabel = "<name>",
      defaultValue = FlowsConfig.PREFIX,
      description = "Name prefix of the queues of the flows (default: ${DEFAULT-VALUE}).")
  private String prefix;

  /** The flow of a command. */
  static final class Target {
    @Mixin private FlowOptions options;

    @Parameters(index = "0", paramLabel = "<id>", description = "Flow id.")
    private String id;

    FlowOptions options() {
      return options;
    }

    String id() {
      return id;
    }

    /** Sends a command to the flow, and prints that it was sent. */
    int send(String result, Consumer<FlowAdmin> command) {
      return options.send(id, result, command);
    }
  }

  /** Runs a query and prints its result. */
  int show(Function<FlowAdmin, CommandOutput> query) {
    return remote.show(broker -> query.apply(admin(broker)));
  }

  FlowAdmin admin(Broker broker) {
    return new FlowAdmin(broker, prefix, TimeSource.SYSTEM);
  }

  /** Sends a command to a flow, and prints that it was sent. */
  int send(String id, String result, Consumer<FlowAdmin> command) {
    return show(
        admin -> {
          command.accept(admin);
          return CommandOutput.line("flow " + id + " " + result, out -> out.put("id", id));
        });
  }

  ServerOptions remote() {
    return remote;
  }

  String prefix() {
    return prefix;
  }
}
