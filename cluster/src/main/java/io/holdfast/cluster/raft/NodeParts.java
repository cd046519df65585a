package io.holdfast.cluster.raft;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.ratis.thirdparty.io.grpc.BindableService;

/**
 * What a node needs besides the log.
 *
 * @param state the broker that applies the entries
 * @param services served on the port of the log, from before the cluster has started
 * @param probe asks other nodes at the first start
 * @param fetcher copies checkpoints
 * @param mayLead false while this node should not lead, because its clock differs too much
 * @param events hears of changes
 */
public record NodeParts(
    ReplicatedState state,
    List<BindableService> services,
    NodeProbe probe,
    CheckpointFetcher fetcher,
    BooleanSupplier mayLead,
    NodeEvents events) {
  public NodeParts {
    services = List.copyOf(services);
  }
}
