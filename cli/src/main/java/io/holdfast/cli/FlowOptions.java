package io.holdfast.cli;

import io.holdfast.api.TimeSource;
import io.holdfast.server.http.JsonOut;
import io.holdfast.workflow.FlowsConfig;
import io.holdfast.workflow.admin.FlowAdmin;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of all commands about flows. */
final class FlowOptions {
  @Mixin private RemoteOptions remote;

  @Option(
      names = "--prefix",
      paramLabel = "<name>",
      defaultValue = FlowsConfig.PREFIX,
      description = "How the names of these flows' queues begin (default: ${DEFAULT-VALUE}).")
  private String prefix;

  /** What a command does with flows; answers its exit code. */
  interface Action {
    int run(FlowAdmin admin);
  }

  int run(Action action) {
    return remote.run(broker -> action.run(new FlowAdmin(broker, prefix, TimeSource.SYSTEM)));
  }

  /** Does something to a flow, and says that it is on its way. */
  int tell(String id, String what, Consumer<FlowAdmin> act) {
    return run(
        admin -> {
          act.accept(admin);
          return remote.json()
              ? remote.print(new JsonOut().beginObject().put("id", id).endObject())
              : remote.print("flow " + id + " " + what);
        });
  }

  RemoteOptions remote() {
    return remote;
  }

  String prefix() {
    return prefix;
  }
}
