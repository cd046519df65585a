package io.holdfast.cli.cluster;

import io.holdfast.cli.options.CommandGroup;
import picocli.CommandLine.Command;

/** The {@code cluster} command. */
@Command(
    name = "cluster",
    description = {
      "Show and change the nodes of a cluster.",
      "Any node of the cluster can be asked. A node is started with serve --node."
    },
    footer = {
      "  holdfast cluster status",
      "  holdfast cluster add host4:6650",
      "  holdfast cluster init --from ./data --to ./n1 --node n1=host1:6650"
    },
    subcommands = {
      ClusterStatusCommand.class,
      ClusterChangeCommands.Add.class,
      ClusterChangeCommands.Remove.class,
      ClusterChangeCommands.Replace.class,
      ClusterChangeCommands.Transfer.class,
      ClusterChangeCommands.TakeSnapshot.class,
      ClusterInitCommand.class,
      ClusterDemoCommand.class
    })
public final class ClusterCommand extends CommandGroup {}
