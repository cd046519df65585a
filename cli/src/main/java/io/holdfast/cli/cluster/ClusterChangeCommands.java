package io.holdfast.cli.cluster;

import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.store.ServerCall;
import io.holdfast.json.JsonOut;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The commands that change the nodes of a cluster, and wait until it is done. */
final class ClusterChangeCommands {
  private ClusterChangeCommands() {}

  private static int send(ServerOptions remote, String operation, JsonOut body) {
    return remote.show(
        broker ->
            ClusterOutput.of(
                new ServerCall(remote.config())
                    .post(ClusterOutput.PATH + "/" + operation, body.endObject().done())));
  }

  /** The {@code cluster add} command. */
  @Command(
      name = "add",
      description = {
        "Add a node.",
        "Start it first, with an empty data directory and the members of the cluster in --cluster."
      },
      footer = {"  holdfast cluster add host4:6650"})
  static final class Add implements Callable<Integer> {
    @Mixin private ServerOptions remote;

    @Parameters(paramLabel = "<host:port>", description = "Address of the node for other nodes.")
    private String address;

    @Override
    public Integer call() {
      return send(remote, "add", new JsonOut().beginObject().put("address", address));
    }
  }

  /** The {@code cluster remove} command. */
  @Command(
      name = "remove",
      description = "Remove a node, which then ends by itself.",
      footer = {"  holdfast cluster remove n1"})
  static final class Remove implements Callable<Integer> {
    @Mixin private ServerOptions remote;

    @Parameters(paramLabel = "<node>", description = "Name of the node.")
    private String node;

    @Override
    public Integer call() {
      return send(remote, "remove", new JsonOut().beginObject().put("node", node));
    }
  }

  /** The {@code cluster replace} command. */
  @Command(
      name = "replace",
      description = {
        "Put a new node in the place of one that has lost its data.",
        "Start the new node first, with an empty data directory and serve --replace."
      },
      footer = {"  holdfast cluster replace n2 host2:6650"})
  static final class Replace implements Callable<Integer> {
    @Mixin private ServerOptions remote;

    @Parameters(index = "0", paramLabel = "<node>", description = "Name of the node.")
    private String node;

    @Parameters(
        index = "1",
        paramLabel = "<host:port>",
        description = "Address of the new node for other nodes.")
    private String address;

    @Override
    public Integer call() {
      return send(
          remote, "replace", new JsonOut().beginObject().put("node", node).put("address", address));
    }
  }

  /** The {@code cluster transfer} command. */
  @Command(
      name = "transfer",
      description = "Make another node the leader, such as before its leader is stopped.",
      footer = {"  holdfast cluster transfer n2"})
  static final class Transfer implements Callable<Integer> {
    @Mixin private ServerOptions remote;

    @Parameters(paramLabel = "<node>", description = "Name of the next leader.")
    private String node;

    @Override
    public Integer call() {
      return send(remote, "transfer", new JsonOut().beginObject().put("node", node));
    }
  }

  /** The {@code cluster snapshot} command. */
  @Command(
      name = "snapshot",
      description = {
        "Store what the node has applied, and delete the log that is not needed any more.",
        "Nodes do that by themselves; use this to free disk space now."
      },
      footer = {"  holdfast cluster snapshot --server http://host1:6632"})
  static final class TakeSnapshot implements Callable<Integer> {
    @Mixin private ServerOptions remote;

    @Override
    public Integer call() {
      return send(remote, "snapshot", new JsonOut().beginObject());
    }
  }
}
