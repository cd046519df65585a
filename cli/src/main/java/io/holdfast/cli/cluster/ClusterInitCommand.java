package io.holdfast.cli.cluster;

import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.output.ExitCodes;
import io.holdfast.cli.output.OutputOptions;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cluster.raft.ClusterException;
import io.holdfast.cluster.raft.NodeAddress;
import io.holdfast.cluster.raft.RaftNode;
import io.holdfast.engine.NewLog;
import io.holdfast.engine.store.StoreException;
import io.holdfast.json.JsonOut;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code cluster init} command. */
@Command(
    name = "init",
    description = {
      "Make the first node of a cluster from the data of a stopped broker.",
      "The data are copied; the broker's own directory stays as it is. Start the node with serve,"
          + " then add others with 'cluster add'."
    },
    footer = {
      "  holdfast cluster init --from ./data --to ./n1 --node n1=host1:6650",
      "  holdfast serve --data ./n1 --node n1 --cluster n1=host1:6650"
    })
final class ClusterInitCommand implements Callable<Integer> {
  /** Where the data of a node are in its directory. */
  private static final String DATA = "data";

  @Mixin private OutputOptions output;

  @Option(
      names = "--from",
      required = true,
      paramLabel = "<dir>",
      description = "Data directory of a stopped broker, or a checkpoint.")
  private Path from;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "<dir>",
      description = "Directory of the node, which is created.")
  private Path to;

  @Option(
      names = "--node",
      required = true,
      paramLabel = "<name=host:port>",
      description = "Name of the node, and its address for other nodes.")
  private String node;

  @Override
  public Integer call() {
    int end = node.indexOf('=');
    try {
      NodeAddress self =
          new NodeAddress(node.substring(0, Math.max(0, end)), node.substring(end + 1));
      if (Files.exists(to)) {
        return output.fail(ExitCodes.USAGE, "The directory " + to + " exists already.");
      }
      Files.createDirectories(to);
      NewLog.copy(from, to.resolve(DATA));
      RaftNode.found(to, self, "");
    } catch (ClusterException | StoreException | IOException failed) {
      return output.fail(ExitCodes.USAGE, String.valueOf(failed.getMessage()));
    }
    return output.print(
        CommandOutput.of(
            () -> new JsonOut().beginObject().put("directory", to.toString()).endObject(),
            () -> new Text().line("The first node of a new cluster is in " + to + ".")));
  }
}
