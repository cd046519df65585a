package io.holdfast.bench.cluster;

import io.holdfast.bench.ChildProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A cluster on this machine: each node is a {@code holdfast serve} in a process of its own.
 *
 * <p>Thread: one disturbs it; any asks for addresses.
 */
public final class ServeCluster implements AutoCloseable {
  private static final long LEADER_NANOS_MAX = 120_000_000_000L;
  private static final long POLL_NANOS = 20_000_000;

  private final List<String> serve;
  private final List<ServeNode> nodes = new ArrayList<>();
  private final ClusterCalls calls = new ClusterCalls();
  private @Nullable Links links;

  private ServeCluster(List<String> serve) {
    this.serve = List.copyOf(serve);
  }

  /**
   * Starts a cluster and waits until it has a leader.
   *
   * @param serve the command that starts a server with its default settings, without options
   * @param directory a directory of its own, for the data and the output of the nodes
   */
  public static ServeCluster start(List<String> serve, Path directory, int nodes)
      throws IOException, InterruptedException {
    return start(serve, directory, nodes, 0, false);
  }

  /**
   * The same with addresses for further nodes, which are not started.
   *
   * @param linked whether the network between the nodes can be cut
   */
  static ServeCluster start(
      List<String> serve, Path directory, int nodes, int spares, boolean linked)
      throws IOException, InterruptedException {
    ServeCluster cluster = new ServeCluster(serve);
    int all = nodes + spares;
    List<Integer> ports = freePorts(2 * all);
    try {
      if (linked) {
        cluster.links = new Links(ports.subList(0, all).stream().mapToInt(each -> each).toArray());
      }
      for (int i = 0; i < all; i++) {
        Path own = Files.createDirectories(directory.resolve("n" + (i + 1)));
        ServeNode node = new ServeNode("n" + (i + 1), ports.get(all + i), ports.get(i), own);
        node.member = i < nodes;
        cluster.nodes.add(node);
        if (cluster.links != null) {
          node.hosts = cluster.links.hostsFile(i, own);
          node.host = Links.host(i);
        }
      }
      for (int i = 0; i < nodes; i++) {
        cluster.begin(i);
      }
      for (int i = 0; i < nodes; i++) {
        cluster.awaitListening(i);
      }
      cluster.awaitLeader();
      return cluster;
    } catch (IOException | InterruptedException | RuntimeException failed) {
      cluster.close();
      throw failed;
    }
  }

  private static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      while (sockets.size() < count) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return sockets.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }

  private List<String> command(ServeNode node) {
    List<String> command = new ArrayList<>(serve);
    command.addAll(List.of("--host", "127.0.0.1", "--port", Integer.toString(node.clientPort)));
    command.addAll(List.of("--data", node.data().toString()));
    String members =
        nodes.stream()
            .filter(one -> one.member || one == node)
            .map(one -> one.name + "=" + one.address())
            .collect(Collectors.joining(","));
    command.addAll(List.of("--node", node.name, "--cluster", members));
    if (node.replacement) {
      command.add("--replace");
    }
    return command;
  }

  /** The numbers of the nodes that belong to the cluster. */
  int[] members() {
    return IntStream.range(0, nodes.size()).filter(i -> nodes.get(i).member).toArray();
  }

  /** The number of a node that could be added. */
  int spare() {
    return IntStream.range(0, nodes.size())
        .filter(i -> !nodes.get(i).member)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("all nodes are members"));
  }

  /** The network between the nodes. */
  Links links() {
    if (links == null) {
      throw new IllegalStateException("the network between the nodes cannot be cut");
    }
    return links;
  }

  /** The addresses for clients, of all nodes. */
  public String[] urls() {
    return nodes.stream().map(ServeNode::url).toArray(String[]::new);
  }

  public String nodeName(int node) {
    return nodes.get(node).name;
  }

  public ChildProcess process(int node) {
    return nodes.get(node).process();
  }

  /** Waits until a majority of the nodes names the same leader; returns the number of that node. */
  public int awaitLeader() {
    int[] found = {-1};
    await("the cluster has no leader", LEADER_NANOS_MAX, () -> (found[0] = leader()) >= 0);
    return found[0];
  }

  private void await(String failure, long nanosMax, BooleanSupplier condition) {
    long deadline = System.nanoTime() + nanosMax;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            failure
                + "; the end of the output of each node:\n"
                + nodes.stream()
                    .filter(ServeNode::isBegun)
                    .map(node -> node.name + ":\n" + node.process().logTail())
                    .collect(Collectors.joining("\n")));
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /** The node that leads; -1 if no majority names one. */
  public int leader() {
    int[] votes = new int[nodes.size()];
    int[] members = members();
    for (int member : members) {
      ServeNode node = nodes.get(member);
      String named = node.isRunning() ? calls.leader(node.url()) : null;
      int leader = named == null ? -1 : index(named);
      if (leader >= 0 && ++votes[leader] > members.length / 2) {
        return leader;
      }
    }
    return -1;
  }

  private int index(String name) {
    return IntStream.range(0, nodes.size())
        .filter(i -> nodes.get(i).name.equals(name))
        .findFirst()
        .orElse(-1);
  }

  /** Waits until a node has applied what the leader has applied now. */
  void awaitCaughtUp(int node, long secondsMax) {
    long target = calls.applied(nodes.get(awaitLeader()).url());
    await(
        nodeName(node) + " has not caught up after " + secondsMax + " s",
        secondsMax * 1_000_000_000,
        () -> calls.applied(nodes.get(node).url()) >= target);
  }

  /** Waits until all members have applied the same entries, and nothing more is coming. */
  void awaitEqual(long secondsMax) {
    await(
        "the nodes have not applied the same entries after " + secondsMax + " s",
        secondsMax * 1_000_000_000,
        () -> {
          long[] applied =
              IntStream.of(members()).mapToLong(i -> calls.applied(nodes.get(i).url())).toArray();
          return applied[0] >= 0
              && IntStream.range(0, applied.length).allMatch(i -> applied[i] == applied[0]);
        });
  }

  /** Ends a node at once, as {@code kill -9} does. */
  public void kill(int node) {
    nodes.get(node).process().kill();
    if (nodes.get(node).isRunning()) {
      throw new IllegalStateException(nodeName(node) + " was not killed");
    }
  }

  /** Lets a node stop in its own way. */
  void stop(int node) {
    nodes.get(node).close();
  }

  /** Starts a node that was ended, and waits until it listens. */
  public void restart(int node) throws IOException, InterruptedException {
    begin(node);
    awaitListening(node);
  }

  /** Starts a node that was ended. */
  public void begin(int node) throws IOException {
    ServeNode one = nodes.get(node);
    Map<String, String> environment =
        one.hosts == null
            ? Map.of()
            : Map.of("JAVA_TOOL_OPTIONS", "-Djdk.net.hosts.file=" + one.hosts);
    one.begin(command(one), environment);
  }

  /** Waits until a node that was begun listens. */
  public void awaitListening(int node) throws IOException, InterruptedException {
    nodes.get(node).awaitListening();
  }

  /** Whether a node has copied a checkpoint since it was started. */
  boolean hasInstalled(int node) throws IOException {
    return nodes.get(node).output().contains("Installed a checkpoint");
  }

  /** Stops a node from running, without its knowledge. */
  public void pause(int node) throws IOException, InterruptedException {
    nodes.get(node).signal("STOP");
  }

  public void resume(int node) throws IOException, InterruptedException {
    nodes.get(node).signal("CONT");
  }

  /** Makes a member the leader. */
  void transfer(int node) throws IOException, InterruptedException {
    calls.change(urls()[awaitLeader()], "transfer", nodeName(node), null);
  }

  /** Adds a spare node with an empty directory. */
  void add(int node) throws IOException, InterruptedException {
    nodes.get(node).wipe();
    restart(node);
    calls.change(urls()[awaitLeader()], "add", null, nodes.get(node).address());
    nodes.get(node).member = true;
  }

  /** Removes a member, which then ends by itself. */
  void remove(int node) throws IOException, InterruptedException {
    calls.change(urls()[awaitLeader()], "remove", nodeName(node), null);
    nodes.get(node).member = false;
    nodes.get(node).awaitEnd();
  }

  /** Kills a member, deletes its data, and lets a new node take its place. */
  void replace(int node) throws IOException, InterruptedException {
    kill(node);
    ServeNode one = nodes.get(node);
    one.wipe();
    one.replacement = true;
    restart(node);
    calls.change(urls()[awaitLeader()], "replace", one.name, one.address());
    one.replacement = false;
  }

  /** Copies the data of all nodes, which must not run. */
  void backUp() throws IOException {
    for (int member : members()) {
      nodes.get(member).backUp();
    }
  }

  /** Puts the copies back: the nodes forget what came since. */
  void rollBack() throws IOException {
    for (int member : members()) {
      nodes.get(member).rollBack();
    }
  }

  /**
   * Stops all nodes and compares their rows.
   *
   * @return a line for each node that differs
   */
  List<String> stopAndCompare() throws InterruptedException {
    List<ServeNode> stopped = IntStream.of(members()).mapToObj(nodes::get).toList();
    List<Thread> stopping =
        stopped.stream().map(node -> Thread.ofPlatform().start(node::close)).toList();
    for (Thread one : stopping) {
      one.join();
    }
    return StoredRowsHash.differences(stopped);
  }

  @Override
  public void close() {
    calls.close();
    nodes.forEach(ServeNode::close);
    if (links != null) {
      links.close();
    }
  }
}
