package io.holdfast.bench.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.bench.ChildProcess;
import io.holdfast.bench.http.ServeProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A cluster on this machine: each node is a {@code holdfast serve} in a process of its own.
 *
 * <p>Thread: one disturbs it; any asks for addresses.
 */
public final class ServeCluster implements AutoCloseable {
  private static final Pattern LEADER = Pattern.compile("\"leader\"\\s*:\\s*\"([^\"]+)\"");
  private static final Duration ASK_MAX = Duration.ofSeconds(2);
  private static final long LEADER_NANOS_MAX = 120_000_000_000L;
  private static final long POLL_NANOS = 20_000_000;

  /** A node, and the process that runs it now. */
  private static final class Node {
    private final String name;
    private final int clientPort;
    private final Path directory;
    private int starts;
    private ServeProcess server;

    private Node(String name, int clientPort, Path directory, ServeProcess server) {
      this.name = name;
      this.clientPort = clientPort;
      this.directory = directory;
      this.server = server;
    }
  }

  private final List<String> serve;
  private final List<Node> nodes = new ArrayList<>();
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(ASK_MAX).build();
  private String members = "";

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
    ServeCluster cluster = new ServeCluster(serve);
    List<Integer> ports = freePorts(2 * nodes);
    cluster.members =
        IntStream.range(0, nodes)
            .mapToObj(i -> name(i) + "=127.0.0.1:" + ports.get(i))
            .collect(Collectors.joining(","));
    try {
      for (int i = 0; i < nodes; i++) {
        Path own = Files.createDirectories(directory.resolve(name(i)));
        int clientPort = ports.get(nodes + i);
        ServeProcess server =
            ServeProcess.begin(cluster.command(name(i), clientPort, own), own, "serve-0.log");
        cluster.nodes.add(new Node(name(i), clientPort, own, server));
      }
      for (Node node : cluster.nodes) {
        node.server.awaitListening();
      }
      cluster.awaitLeader();
      return cluster;
    } catch (IOException | InterruptedException | RuntimeException failed) {
      cluster.close();
      throw failed;
    }
  }

  private static String name(int node) {
    return "n" + (node + 1);
  }

  private List<String> command(String name, int clientPort, Path directory) {
    List<String> command = new ArrayList<>(serve);
    command.addAll(List.of("--host", "127.0.0.1", "--port", Integer.toString(clientPort)));
    command.addAll(List.of("--data", directory.resolve("data").toString()));
    command.addAll(List.of("--node", name, "--cluster", members));
    return command;
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

  public int size() {
    return nodes.size();
  }

  /** The addresses for clients, of all nodes. */
  public String[] urls() {
    return nodes.stream().map(ServeCluster::url).toArray(String[]::new);
  }

  private static String url(Node node) {
    return "http://127.0.0.1:" + node.clientPort;
  }

  public String nodeName(int node) {
    return nodes.get(node).name;
  }

  public ChildProcess process(int node) {
    return nodes.get(node).server.process();
  }

  /** Waits until a majority of the nodes names the same leader; returns the number of that node. */
  public int awaitLeader() {
    long deadline = System.nanoTime() + LEADER_NANOS_MAX;
    while (System.nanoTime() - deadline < 0) {
      int leader = leader();
      if (leader >= 0) {
        return leader;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    throw new IllegalStateException(
        "the cluster has no leader; the end of the output of each node:\n"
            + nodes.stream()
                .map(node -> node.name + ":\n" + node.server.process().logTail())
                .collect(Collectors.joining("\n")));
  }

  /** The node that leads; -1 if no majority names one. */
  public int leader() {
    int[] votes = new int[nodes.size()];
    for (Node node : nodes) {
      int named = node.server.process().isAlive() ? leaderBy(node) : -1;
      if (named >= 0 && ++votes[named] > nodes.size() / 2) {
        return named;
      }
    }
    return -1;
  }

  private int leaderBy(Node node) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url(node) + "/api/v1/cluster")).timeout(ASK_MAX).build();
    try {
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString(UTF_8));
      Matcher leader = LEADER.matcher(answer.body());
      return leader.find() ? index(leader.group(1)) : -1;
    } catch (IOException unreachable) {
      return -1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -1;
    }
  }

  private int index(String name) {
    for (int i = 0; i < nodes.size(); i++) {
      if (nodes.get(i).name.equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** Ends a node at once, as {@code kill -9} does. */
  public void kill(int node) {
    nodes.get(node).server.process().kill();
  }

  /** Starts a node that was ended, and waits until it listens. */
  public void restart(int node) throws IOException, InterruptedException {
    begin(node);
    nodes.get(node).server.awaitListening();
  }

  /** Starts a node that was ended. */
  public void begin(int node) throws IOException {
    Node one = nodes.get(node);
    one.server.process().close();
    one.starts++;
    one.server =
        ServeProcess.begin(
            command(one.name, one.clientPort, one.directory),
            one.directory,
            "serve-" + one.starts + ".log");
  }

  /** Waits until a node that was begun listens. */
  public void awaitListening(int node) throws IOException, InterruptedException {
    nodes.get(node).server.awaitListening();
  }

  /** Stops a node from running, without its knowledge. */
  public void pause(int node) throws IOException, InterruptedException {
    signal(node, "STOP");
  }

  public void resume(int node) throws IOException, InterruptedException {
    signal(node, "CONT");
  }

  private void signal(int node, String signal) throws IOException, InterruptedException {
    ChildProcess process = process(node);
    new ProcessBuilder("kill", "-s", signal, Long.toString(process.handle().pid()))
        .start()
        .waitFor();
  }

  @Override
  public void close() {
    http.close();
    for (Node node : nodes) {
      node.server.close();
    }
  }
}
