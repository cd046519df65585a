package io.holdfast.cluster;

import static org.awaitility.Awaitility.await;

import io.holdfast.api.TimeSource;
import io.holdfast.cluster.raft.LogLimits;
import io.holdfast.cluster.raft.NodeAddress;
import io.holdfast.cluster.raft.RaftConfig;
import io.holdfast.cluster.raft.RaftTimes;
import io.holdfast.cluster.security.NodeSecurity;
import io.holdfast.engine.EngineConfig;
import io.holdfast.engine.seal.Keys;
import io.holdfast.testkit.SteadyPort;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** Nodes of a cluster in this process, with their rows in memory. */
final class TestNodes implements AutoCloseable {
  static final RaftTimes TIMES =
      new RaftTimes(Duration.ofMillis(300), Duration.ofMillis(600), Duration.ofSeconds(30));

  private static final long MIB = 1 << 20;
  static final LogLimits LIMITS =
      new LogLimits(8 * MIB, 8 * MIB, 64 * MIB, 100_000, Duration.ofDays(1));

  static final Keys KEYS = Keys.of(new byte[32]);

  private final Path directory;
  private final List<NodeAddress> addresses = new ArrayList<>();
  private final Map<String, ClusterNode> running = new LinkedHashMap<>();
  private final Map<String, FullDisk> disks = new HashMap<>();

  /** Why nodes cannot continue. */
  final Map<String, String> failures = new ConcurrentHashMap<>();

  private TestNodes(Path directory) {
    this.directory = directory;
  }

  static List<NodeAddress> addresses(int count) {
    List<NodeAddress> addresses = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      addresses.add(new NodeAddress("n" + i, "127.0.0.1:" + SteadyPort.find()));
    }
    return addresses;
  }

  /** Starts three nodes, and waits until one leads. */
  static TestNodes start(Path directory) {
    TestNodes nodes = new TestNodes(directory);
    nodes.addresses.addAll(addresses(3));
    try {
      nodes.addresses.forEach(address -> nodes.start(address.name()));
      nodes.leader();
    } catch (RuntimeException failed) {
      nodes.close();
      throw failed;
    }
    return nodes;
  }

  static RaftConfig raft(Path directory, String name, List<NodeAddress> addresses) {
    return new RaftConfig(
        name,
        directory.resolve(name),
        addresses,
        "127.0.0.1",
        "http://127.0.0.1/" + name,
        false,
        false,
        TIMES,
        LIMITS);
  }

  private void start(String name) {
    FullDisk disk = new FullDisk();
    disks.put(name, disk);
    ClusterConfig config =
        new ClusterConfig(
            raft(directory, name, addresses),
            NodeSecurity.none(),
            EngineConfig.inMemory().keys(KEYS),
            ClusterConfig.LEADER_PATIENCE,
            "test");
    running.put(
        name,
        ClusterNode.start(config, TimeSource.SYSTEM, disk, reason -> failures.put(name, reason)));
  }

  /** The node that leads, once there is one. */
  ClusterNode leader() {
    await().until(() -> running.values().stream().filter(TestNodes::leads).count() == 1);
    return running.values().stream().filter(TestNodes::leads).findAny().orElseThrow();
  }

  private static boolean leads(ClusterNode node) {
    return node.own().replica().isLeading();
  }

  /** A node that does not lead. */
  ClusterNode follower() {
    ClusterNode leader = leader();
    return running.values().stream().filter(node -> node != leader).findFirst().orElseThrow();
  }

  List<ClusterNode> all() {
    return List.copyOf(running.values());
  }

  /** Lets no more rows of a node be written. */
  void fillDisk(ClusterNode node) {
    Objects.requireNonNull(disks.get(node.self().name())).fill();
  }

  /** Stops a node. */
  void stop(ClusterNode node) {
    running.values().remove(node);
    node.close();
  }

  @Override
  public void close() {
    all().parallelStream().forEach(ClusterNode::close);
  }
}
