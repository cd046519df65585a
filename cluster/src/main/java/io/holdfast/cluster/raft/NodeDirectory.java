package io.holdfast.cluster.raft;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/**
 * The directory of a node: its identity, its log and its data.
 *
 * <pre>
 *   node                 who this node is
 *   raft/CLUSTER/        the log
 *   data/                the rows of the broker
 * </pre>
 */
final class NodeDirectory {
  private static final String LOGS = "raft";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final RaftConfig config;
  private NodeFile identity;

  private NodeDirectory(RaftConfig config, NodeFile identity) {
    this.config = config;
    this.identity = identity;
  }

  /**
   * Opens the directory of a node, or gives a new one an identity.
   *
   * @throws ClusterException if it is another node's, or parts of it are missing
   */
  static NodeDirectory open(RaftConfig config) {
    Path directory = config.directory();
    NodeFile identity = NodeFile.read(directory);
    if (identity == null) {
      if (!isEmpty(config.dataDirectory()) || !isEmpty(directory.resolve(LOGS))) {
        throw new ClusterException(
            "The directory "
                + directory
                + " contains data, but no node file: its origin is unknown. Give the node an empty"
                + " directory, or restore the file.");
      }
      identity = new NodeFile(newId(config.name()), null, List.of(), false);
      identity.write(directory);
    }
    if (!identity.name().equals(config.name())) {
      throw new ClusterException(
          "The directory "
              + directory
              + " belongs to the node "
              + identity.name()
              + ", not to "
              + config.name()
              + ". Start it under its name, or with another directory.");
    }
    NodeDirectory opened = new NodeDirectory(config, identity);
    opened.checkLogExists();
    return opened;
  }

  /**
   * Makes a directory that already has data the first and only member of a new cluster.
   *
   * @param self where this node is reached
   */
  static void found(Path directory, NodeAddress self, String clientAddress) {
    if (NodeFile.read(directory) != null) {
      throw new ClusterException("The directory " + directory + " belongs to a node already.");
    }
    Member member = new Member(newId(self.name()), self.address(), clientAddress);
    new NodeFile(member.id(), null, List.of(), false)
        .withCluster(UUID.randomUUID(), List.of(member))
        .write(directory);
  }

  private static String newId(String name) {
    return name + Member.SEPARATOR + String.format(Locale.ROOT, "%08x", RANDOM.nextInt());
  }

  private void checkLogExists() {
    UUID cluster = identity.cluster();
    if (identity.started()
        && (cluster == null
            || !Files.exists(log(cluster).resolve(LogFiles.CURRENT).resolve(LogFiles.META)))) {
      throw new ClusterException(
          "The node "
              + config.name()
              + " has been a member of a cluster, but its log in "
              + config.directory().resolve(LOGS)
              + " is missing. It must not vote again under its identity, because it has forgotten"
              + " what it has acknowledged. Restore the directory, or give the node an empty one,"
              + " start it with --replace and run: holdfast cluster replace "
              + config.name());
    }
  }

  NodeFile identity() {
    return identity;
  }

  /** Writes down which cluster this node belongs to. */
  void join(UUID cluster, List<Member> founders) {
    identity = identity.withCluster(cluster, founders);
    identity.write(config.directory());
  }

  /** Writes down that the log was made: from now on it must not be missing. */
  void logExists() throws IOException {
    if (!identity.started()) {
      DurableFiles.syncDirectory(logs());
      identity = identity.withLog();
      identity.write(config.directory());
    }
  }

  /** The directory of all logs; it exists. */
  Path logs() {
    Path logs = config.directory().resolve(LOGS);
    try {
      DurableFiles.createDirectories(logs);
    } catch (IOException failed) {
      throw new ClusterException("The directory " + logs + " cannot be made.", failed);
    }
    return logs;
  }

  /** The directory of the log of a cluster. */
  Path log(UUID cluster) {
    return config.directory().resolve(LOGS).resolve(cluster.toString());
  }

  private static boolean isEmpty(Path directory) {
    if (!Files.isDirectory(directory)) {
      return true;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      return !files.iterator().hasNext();
    } catch (IOException unreadable) {
      throw new ClusterException("The directory " + directory + " cannot be read.", unreadable);
    }
  }

  /** Nodes that do not prove who they are must be reachable from this machine only. */
  static void checkReach(RaftConfig config, boolean secure) {
    if (secure || config.insecure()) {
      return;
    }
    if (!isLoopback(config.listenHost())) {
      throw exposed(config.listenHost());
    }
    for (NodeAddress node : config.nodes()) {
      if (!isLoopback(node.host())) {
        throw exposed(node.address());
      }
    }
  }

  private static ClusterException exposed(String address) {
    return new ClusterException(
        "The address "
            + address
            + " is reachable by other machines, and the nodes have no certificates and no cluster"
            + " secret: anyone who reaches it could read and change all data. Set a cluster secret"
            + " or certificates, or allow it with --insecure.");
  }

  private static boolean isLoopback(String host) {
    try {
      return !host.isEmpty() && InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException unknown) {
      return false;
    }
  }
}
