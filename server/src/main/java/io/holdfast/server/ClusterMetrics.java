package io.holdfast.server;

import io.holdfast.server.metrics.Families;

/** The metrics of the cluster that the server is a node of. */
final class ClusterMetrics {
  private ClusterMetrics() {}

  static void add(Cluster cluster, Families families) {
    Cluster.Status now = cluster.status().orThrow();
    Cluster.Node self = now.nodes().getFirst();
    families.gauge("holdfast_cluster_leading", "1 if this node leads.", self.leading() ? 1 : 0);
    families.gauge(
        "holdfast_cluster_ready", "1 if this node takes calls.", now.unready() == null ? 1 : 0);
    families.gauge("holdfast_cluster_term", "Counts elections.", now.term());
    families.gauge(
        "holdfast_cluster_committed_index", "The last committed entry.", now.committedIndex());
    families.gauge("holdfast_cluster_log_bytes", "Bytes of this node's log.", self.logBytes());
    families.counter(
        "holdfast_cluster_leader_changes",
        "Leader changes that this node has seen.",
        now.leaderChanges());
    families.gauge(
        "holdfast_cluster_lag_entries",
        "Committed entries that a node has not applied.",
        now.nodes().stream()
            .map(node -> Families.Point.of(node.lagEntries(), "node", node.name()))
            .toList());
    families.gauge(
        "holdfast_cluster_lag_seconds",
        "How much older the last change of a node is than that of this node.",
        now.nodes().stream()
            .map(node -> Families.Point.of(node.lagMs() / 1_000.0, "node", node.name()))
            .toList());
    families.gauge(
        "holdfast_cluster_reachable",
        "1 if a node has answered this one lately.",
        now.nodes().stream()
            .map(node -> Families.Point.of(node.reachable() ? 1 : 0, "node", node.name()))
            .toList());
  }
}
