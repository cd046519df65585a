package io.holdfast.cli.serve;

import io.holdfast.cluster.ClusterConfig;
import io.holdfast.cluster.raft.ClusterException;
import io.holdfast.cluster.raft.LogLimits;
import io.holdfast.cluster.raft.NodeAddress;
import io.holdfast.cluster.raft.RaftConfig;
import io.holdfast.cluster.raft.RaftTimes;
import io.holdfast.cluster.security.NodeSecurity;
import io.holdfast.engine.EngineConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code serve} for a node of a cluster. */
final class ClusterOptions {
  private static final String SEPARATOR = "=";

  @Option(
      names = "--node",
      paramLabel = "<name>",
      description =
          "Run as this node of a cluster; its address is in --cluster (default: no cluster)."
              + " HOLDFAST_NODE")
  private @Nullable String node;

  @Option(
      names = "--cluster",
      paramLabel = "<name=host:port>",
      split = ",",
      description =
          "All nodes that make the cluster at its first start, with their addresses for each other,"
              + " or this node and members of the cluster that it joins. HOLDFAST_CLUSTER")
  private List<String> cluster = List.of();

  @Option(
      names = "--cluster-listen",
      paramLabel = "<host>",
      description =
          "Address on which to listen for other nodes (default: the host of this node in"
              + " --cluster). HOLDFAST_CLUSTER_LISTEN")
  private @Nullable String listen;

  @Option(
      names = "--client-address",
      paramLabel = "<url>",
      description =
          "Address of this node for clients, which 'cluster status' shows (default: none)."
              + " HOLDFAST_CLIENT_ADDRESS")
  private @Nullable String clientAddress;

  @Option(
      names = "--cluster-secret-file",
      paramLabel = "<file>",
      description =
          "File with a secret that all nodes of the cluster share; encrypts the traffic between"
              + " them. HOLDFAST_CLUSTER_SECRET_FILE")
  private @Nullable Path secret;

  @Option(
      names = "--cluster-certificate",
      paramLabel = "<file>",
      description =
          "Certificate of this node for other nodes, in PEM, in place of a secret."
              + " HOLDFAST_CLUSTER_CERTIFICATE")
  private @Nullable Path certificate;

  @Option(
      names = "--cluster-key",
      paramLabel = "<file>",
      description = "Private key of that certificate, in PEM. HOLDFAST_CLUSTER_KEY")
  private @Nullable Path key;

  @Option(
      names = "--cluster-ca",
      paramLabel = "<file>",
      description =
          "Certificates that those of the other nodes must be signed by, in PEM."
              + " HOLDFAST_CLUSTER_CA")
  private @Nullable Path authorities;

  @Option(
      names = "--replace",
      description =
          "This node has lost its data and waits until 'cluster replace' puts it in the place of"
              + " the member of its name. HOLDFAST_REPLACE")
  private boolean replacement;

  /** Whether this process is a node of a cluster. */
  boolean isNode() {
    return node != null || !cluster.isEmpty();
  }

  /**
   * The configuration of the node.
   *
   * @param directory its directory
   * @param insecure whether other machines may reach it without a proof
   * @throws ClusterException if options are missing or wrong
   */
  ClusterConfig config(Path directory, EngineConfig engine, boolean insecure, String version) {
    String name = node;
    if (name == null || cluster.isEmpty()) {
      throw new ClusterException(
          "Expected --node and --cluster together, such as --node n1 --cluster"
              + " n1=host1:6650,n2=host2:6650,n3=host3:6650.");
    }
    List<NodeAddress> nodes = cluster.stream().map(ClusterOptions::address).toList();
    String host =
        listen != null
            ? listen
            : nodes.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .map(NodeAddress::host)
                .orElse("127.0.0.1");
    RaftConfig raft =
        new RaftConfig(
            name,
            directory,
            nodes,
            host,
            clientAddress == null ? "" : clientAddress,
            replacement,
            insecure,
            RaftTimes.SERVER,
            LogLimits.SERVER);
    return new ClusterConfig(raft, security(name), engine, ClusterConfig.LEADER_PATIENCE, version);
  }

  private static NodeAddress address(String text) {
    int end = text.indexOf(SEPARATOR);
    if (end < 1) {
      throw new ClusterException("--cluster: expected name=host:port, but got \"" + text + "\".");
    }
    return new NodeAddress(text.substring(0, end).strip(), text.substring(end + 1).strip());
  }

  private NodeSecurity security(String name) {
    Path file = secret;
    Path own = certificate;
    Path ownKey = key;
    Path trusted = authorities;
    if (own != null && ownKey != null && trusted != null && file == null) {
      return NodeSecurity.ofFiles(own, ownKey, trusted);
    }
    if (own != null || ownKey != null || trusted != null) {
      throw new ClusterException(
          "Expected --cluster-certificate, --cluster-key and --cluster-ca together, and no"
              + " --cluster-secret-file.");
    }
    return file == null ? NodeSecurity.none() : NodeSecurity.ofSecret(read(file), name);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException unreadable) {
      throw new ClusterException(
          "The secret of the cluster cannot be read from " + file + ": " + unreadable.getMessage(),
          unreadable);
    }
  }
}
