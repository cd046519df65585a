package io.holdfast.cluster;

import io.holdfast.cluster.raft.RaftConfig;
import io.holdfast.cluster.security.NodeSecurity;
import io.holdfast.engine.EngineConfig;
import java.time.Duration;

/**
 * How a node of a cluster is set up.
 *
 * @param raft its name, its directory, and the other nodes
 * @param security how the nodes prove to each other who they are; closed with the node
 * @param engine its broker; the directory of the data is that of the node
 * @param leaderPatience how long a call waits while the cluster has no leader
 * @param version the version of Holdfast, for people
 */
public record ClusterConfig(
    RaftConfig raft,
    NodeSecurity security,
    EngineConfig engine,
    Duration leaderPatience,
    String version) {
  /** Longer than an election takes, and shorter than the patience of clients. */
  public static final Duration LEADER_PATIENCE = Duration.ofSeconds(5);
}
