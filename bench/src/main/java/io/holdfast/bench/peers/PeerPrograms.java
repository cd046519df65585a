package io.holdfast.bench.peers;

import io.holdfast.bench.ChildProcess;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the programs of peers and free ports, and waits until a server answers. */
public final class PeerPrograms {
  private static final long READY_SECONDS_MAX = 120;
  private static final long RETRY_MS = 50;

  private PeerPrograms() {}

  /**
   * Finds a program.
   *
   * @param directories where to look before the PATH; the last part may be {@code *}, of which the
   *     greatest number is taken, followed by {@code /bin}
   * @return null if it is not installed
   */
  public static @Nullable Path find(String program, String... directories) {
    List<Path> places = new ArrayList<>();
    for (String directory : directories) {
      places.addAll(expand(directory));
    }
    String path = System.getenv("PATH");
    for (String directory : (path == null ? "" : path).split(File.pathSeparator)) {
      places.add(Path.of(directory));
    }
    // Not on the PATH of every user.
    places.addAll(List.of(Path.of("/usr/sbin"), Path.of("/usr/local/sbin"), Path.of("/sbin")));
    return places.stream()
        .map(place -> place.resolve(program))
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(null);
  }

  private static List<Path> expand(String directory) {
    int star = directory.indexOf("/*");
    if (star < 0) {
      return List.of(Path.of(directory));
    }
    try (Stream<Path> versions = Files.list(Path.of(directory.substring(0, star)))) {
      String rest = directory.substring(star + 2).replaceFirst("^/", "");
      return versions
          .filter(version -> version.getFileName().toString().matches("[0-9]+"))
          .sorted((a, b) -> number(b) - number(a))
          .map(version -> version.resolve(rest))
          .toList();
    } catch (IOException absent) {
      return List.of();
    }
  }

  private static int number(Path version) {
    return Integer.parseInt(version.getFileName().toString());
  }

  /** A port of this machine that nobody listens on. */
  public static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("there is no free port", e);
    }
  }

  /**
   * Connects to a server that was just started, as soon as it accepts that. If it does not in time,
   * or ends, its process is closed.
   */
  public static <T> T connect(ChildProcess server, Callable<T> connect)
      throws InterruptedException {
    long deadline = System.nanoTime() + READY_SECONDS_MAX * 1_000_000_000;
    Exception last;
    do {
      try {
        T connected = connect.call();
        server.noteChildren();
        return connected;
      } catch (InterruptedException interrupted) {
        server.close();
        throw interrupted;
      } catch (Exception notYet) {
        last = notYet;
        Thread.sleep(RETRY_MS);
      }
    } while (server.isAlive() && System.nanoTime() - deadline < 0);
    IllegalStateException failure =
        server.failure(
            (server.isAlive() ? "did not answer within " + READY_SECONDS_MAX + " s" : "ended")
                + " ("
                + last
                + ")");
    server.close();
    throw failure;
  }

  /** Runs a program to its end; throws with its output if it fails. */
  public static void run(ProcessBuilder program, Path log)
      throws IOException, InterruptedException {
    try (ChildProcess child = ChildProcess.start(program.command().getFirst(), program, log)) {
      int status = child.await(READY_SECONDS_MAX);
      if (status != 0) {
        throw child.failure("ended with status " + status);
      }
    }
  }
}
