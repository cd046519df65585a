package io.holdfast.cluster.raft;

import java.nio.file.Path;
import java.util.List;

/**
 * The settings of a node.
 *
 * @param name the name of this node, such as {@code n1}
 * @param directory the directory of the node; it contains the node file and the log, and the data
 *     of the broker in {@link #dataDirectory}
 * @param nodes the nodes that make the cluster at its first start, or members of the cluster that
 *     this node joins; this node must be one of them
 * @param listenHost the address to listen on
 * @param clientAddress the address for clients of this node, which the other nodes announce
 * @param replacement this node has lost its data, and waits until it replaces the member of its
 *     name
 * @param insecure addresses other than loopback are allowed without TLS and secret
 * @param times how long the log waits
 * @param limits how large the log becomes
 */
public record RaftConfig(
    String name,
    Path directory,
    List<NodeAddress> nodes,
    String listenHost,
    String clientAddress,
    boolean replacement,
    boolean insecure,
    RaftTimes times,
    LogLimits limits) {
  /** The name of the directory for the data of the broker. */
  private static final String DATA = "data";

  public RaftConfig {
    nodes = List.copyOf(nodes);
    String own = name;
    if (nodes.stream().noneMatch(node -> node.name().equals(own))) {
      throw new ClusterException(
          "The list of the cluster's nodes does not contain this node, " + name + ".");
    }
    if (nodes.stream().map(NodeAddress::name).distinct().count() < nodes.size()) {
      throw new ClusterException("The list of the cluster's nodes contains a name twice.");
    }
  }

  /** The directory that the engine opens. */
  public Path dataDirectory() {
    return directory.resolve(DATA);
  }

  /** Where the other nodes reach this one. */
  public NodeAddress self() {
    return nodes.stream().filter(node -> node.name().equals(name)).findFirst().orElseThrow();
  }
}
