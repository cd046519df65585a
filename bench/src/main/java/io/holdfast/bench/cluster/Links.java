package io.holdfast.bench.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The network between the nodes of a cluster: a proxy for each pair of nodes and direction of
 * connecting, so that the bytes from one node to another can be held back.
 *
 * <p>A node finds the proxies by the names of the other nodes, which mean something else for each
 * node: the JVM option {@code jdk.net.hosts.file} names a file of its own. Bytes that are held back
 * arrive after the cut, as on a network that sends them again.
 *
 * <p>Thread: any.
 */
final class Links implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final String DOMAIN = ".holdfast.test";

  private record Direction(int from, int to) {}

  private final int[] ports;
  private final List<ServerSocket> listening = new ArrayList<>();
  private final Set<Direction> cut = new HashSet<>();
  private final AtomicLong held = new AtomicLong();
  private volatile long delayMs;
  private volatile boolean closed;

  /**
   * Opens the proxies.
   *
   * @param ports the ports of the nodes for each other, on 127.0.0.1
   */
  Links(int[] ports) throws IOException {
    this.ports = ports.clone();
    try {
      for (int from = 0; from < ports.length; from++) {
        for (int to = 0; to < ports.length; to++) {
          if (from != to) {
            listen(from, to);
          }
        }
      }
    } catch (IOException failed) {
      close();
      throw failed;
    }
  }

  /** The name of a node for other nodes. */
  static String host(int node) {
    return "n" + (node + 1) + DOMAIN;
  }

  private static String address(int from, int to) {
    return "127.0." + (from + 1) + "." + (to + 1);
  }

  /** Writes the file with the addresses that a node uses for the names. */
  Path hostsFile(int node, Path directory) throws IOException {
    StringBuilder hosts = new StringBuilder("127.0.0.1 localhost\n");
    hosts.append("127.0.0.1 ").append(InetAddress.getLocalHost().getHostName()).append('\n');
    for (int to = 0; to < ports.length; to++) {
      hosts.append(to == node ? "127.0.0.1" : address(node, to));
      hosts.append(' ').append(host(to)).append('\n');
    }
    return Files.writeString(directory.resolve("hosts"), hosts, UTF_8);
  }

  private void listen(int from, int to) throws IOException {
    ServerSocket server = new ServerSocket();
    listening.add(server);
    server.setReuseAddress(true);
    server.bind(
        new InetSocketAddress(
            InetAddress.getByAddress(new byte[] {127, 0, (byte) (from + 1), (byte) (to + 1)}),
            ports[to]));
    Thread.ofVirtual().name("link").start(() -> accept(server, from, to));
  }

  private void accept(ServerSocket server, int from, int to) {
    while (!closed) {
      try {
        Socket near = server.accept();
        Thread.ofVirtual().name("link").start(() -> connect(near, from, to));
      } catch (IOException ended) {
        return;
      }
    }
  }

  private void connect(Socket near, int from, int to) {
    Socket far = new Socket();
    try {
      far.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), ports[to]));
      near.setTcpNoDelay(true);
      far.setTcpNoDelay(true);
      Thread.ofVirtual().name("link").start(() -> pass(far, near, to, from));
      pass(near, far, from, to);
    } catch (IOException unreachable) {
      close(near);
      close(far);
    }
  }

  /** Passes on the bytes of one direction of a connection until it ends. */
  private void pass(Socket source, Socket target, int from, int to) {
    byte[] buffer = new byte[BUFFER_BYTES];
    Direction direction = new Direction(from, to);
    try {
      for (int read = source.getInputStream().read(buffer);
          read >= 0;
          read = source.getInputStream().read(buffer)) {
        if (delayMs > 0) {
          Thread.sleep(delayMs);
        }
        awaitOpen(direction);
        target.getOutputStream().write(buffer, 0, read);
      }
    } catch (IOException ended) {
      // One of them has closed it.
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } finally {
      close(source);
      close(target);
    }
  }

  private synchronized void awaitOpen(Direction direction) throws InterruptedException {
    if (cut.contains(direction)) {
      held.incrementAndGet();
    }
    while (cut.contains(direction) && !closed) {
      wait();
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException ended) {
      // It is of no use any more.
    }
  }

  /** Holds back the bytes from one node to another. */
  synchronized void cut(int from, int to) {
    cut.add(new Direction(from, to));
  }

  /** Holds back all bytes from a node. */
  void cutFrom(int node) {
    for (int other = 0; other < ports.length; other++) {
      cut(node, other);
    }
  }

  /** Holds back all bytes to a node. */
  void cutTo(int node) {
    for (int other = 0; other < ports.length; other++) {
      cut(other, node);
    }
  }

  /** Lets bytes wait on their way. */
  void delay(long ms) {
    delayMs = ms;
  }

  /** Passes on everything at once again. */
  synchronized void heal() {
    cut.clear();
    delayMs = 0;
    notifyAll();
  }

  /** How often bytes were held back so far, to know that a cut took place. */
  long held() {
    return held.get();
  }

  @Override
  public void close() {
    closed = true;
    heal();
    for (ServerSocket server : listening) {
      try {
        server.close();
      } catch (IOException ended) {
        // It accepts nothing any more.
      }
    }
  }
}
