package io.holdfast.server.metrics;

import java.util.List;
import java.util.function.Supplier;

/** Tells of the cluster that the server is a node of. */
public final class ClusterMetrics {
  /**
   * The cluster in numbers.
   *
   * @param leading whether this node leads
   * @param leaderChanges how often it has seen the leader change
   * @param logBytes the size of its log
   */
  public record Numbers(
      boolean leading,
      boolean ready,
      long term,
      long committedIndex,
      long leaderChanges,
      long logBytes,
      List<NodeNumbers> nodes) {}

  /** A node in numbers. */
  public record NodeNumbers(String name, boolean reachable, long lagEntries) {}

  private final Supplier<Numbers> cluster;

  public ClusterMetrics(Supplier<Numbers> cluster) {
    this.cluster = cluster;
  }

  void add(Families families) {
    Numbers now = cluster.get();
    families.gauge("holdfast_cluster_leading", "1 if this node leads.", now.leading() ? 1 : 0);
    families.gauge("holdfast_cluster_ready", "1 if this node takes calls.", now.ready() ? 1 : 0);
    families.gauge("holdfast_cluster_term", "Counts elections.", now.term());
    families.gauge(
        "holdfast_cluster_committed_index", "The last committed entry.", now.committedIndex());
    families.gauge("holdfast_cluster_log_bytes", "Bytes of this node's log.", now.logBytes());
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
        "holdfast_cluster_reachable",
        "1 if a node has answered this one lately.",
        now.nodes().stream()
            .map(node -> Families.Point.of(node.reachable() ? 1 : 0, "node", node.name()))
            .toList());
  }
}
