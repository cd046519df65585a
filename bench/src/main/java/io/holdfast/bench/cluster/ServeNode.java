package io.holdfast.bench.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.bench.ChildProcess;
import io.holdfast.bench.http.ServeProcess;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A node of a cluster, its files, and the process that runs it now.
 *
 * <p>Thread: one.
 */
final class ServeNode {
  private static final long END_SECONDS_MAX = 60;

  final String name;
  final int clientPort;
  private final int peerPort;
  private final Path directory;
  private int starts;
  private @Nullable ServeProcess server;

  /** Whether it belongs to the cluster. */
  boolean member;

  /** Whether it waits to take the place of the member of its name. */
  boolean replacement;

  /** Its name for the other nodes, and the file with the addresses of theirs. */
  String host = "127.0.0.1";

  @Nullable Path hosts;

  ServeNode(String name, int clientPort, int peerPort, Path directory) {
    this.name = name;
    this.clientPort = clientPort;
    this.peerPort = peerPort;
    this.directory = directory;
  }

  String url() {
    return "http://127.0.0.1:" + clientPort;
  }

  /** Its address for the other nodes. */
  String address() {
    return host + ":" + peerPort;
  }

  Path data() {
    return directory.resolve("data");
  }

  boolean isBegun() {
    return server != null;
  }

  boolean isRunning() {
    return server != null && server.process().isAlive();
  }

  ChildProcess process() {
    return begun().process();
  }

  private ServeProcess begun() {
    if (server == null) {
      throw new IllegalStateException(name + " was not started");
    }
    return server;
  }

  void begin(List<String> command, Map<String, String> environment) throws IOException {
    close();
    server = ServeProcess.begin(command, directory, log(), environment);
    starts++;
  }

  private String log() {
    return "serve-" + starts + ".log";
  }

  void awaitListening() throws IOException, InterruptedException {
    begun().awaitListening();
  }

  void awaitEnd() throws InterruptedException {
    process().await(END_SECONDS_MAX);
  }

  /** What it has printed since it was started. */
  String output() throws IOException {
    return Files.readString(directory.resolve("serve-" + (starts - 1) + ".log"), UTF_8);
  }

  /** Sends a signal; a node that is stopped by it does not run when this returns. */
  void signal(String signal) throws IOException, InterruptedException {
    String pid = Long.toString(process().handle().pid());
    new ProcessBuilder("kill", "-s", signal, pid).start().waitFor();
    Path state = Path.of("/proc", pid, "stat");
    for (int tries = 0; signal.equals("STOP") && Files.exists(state); tries++) {
      if (Files.readString(state, UTF_8).matches("(?s).*\\) T .*")) {
        return;
      }
      if (tries > 100) {
        throw new IllegalStateException(name + " was not stopped");
      }
      Thread.sleep(1);
    }
  }

  /** Deletes its data. */
  void wipe() throws IOException {
    delete(data());
  }

  void backUp() throws IOException {
    copy(data(), directory.resolve("backup"));
  }

  void rollBack() throws IOException {
    delete(data());
    copy(directory.resolve("backup"), data());
    delete(directory.resolve("backup"));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.copy(file, to.resolve(from.relativize(file)));
      }
    }
  }

  private static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
              throws IOException {
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Lets it stop in its own way. */
  void close() {
    if (server != null) {
      server.close();
    }
  }
}
