package io.holdfast.cli.cluster;

import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.store.ServerCall;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The {@code cluster status} command. */
@Command(
    name = "status",
    description = "Show the nodes: which one leads, how far each is behind, disk and versions.",
    footer = {"  holdfast cluster status"})
final class ClusterStatusCommand implements Callable<Integer> {
  @Mixin private ServerOptions remote;

  @Override
  public Integer call() {
    return remote.show(
        broker -> ClusterOutput.of(new ServerCall(remote.config()).get(ClusterOutput.PATH)));
  }
}
