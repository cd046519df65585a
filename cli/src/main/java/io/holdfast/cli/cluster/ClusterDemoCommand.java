package io.holdfast.cli.cluster;

import io.holdfast.cli.options.DurationConverter;
import io.holdfast.cli.output.ExitCodes;
import io.holdfast.cli.output.OutputOptions;
import io.holdfast.cli.terminal.Text;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code cluster demo} command: three nodes on this machine, with a little load. */
@Command(
    name = "demo",
    description = {
      "Run a cluster of three nodes on this machine with a little load, to try what happens when"
          + " one is killed.",
      "The data are temporary."
    },
    footer = {"  holdfast cluster demo"})
final class ClusterDemoCommand implements Callable<Integer> {
  private static final int NODES = 3;
  private static final String MAIN = "io.holdfast.cli.Main";
  private static final long REPORT_SECONDS = 5;

  @Mixin private OutputOptions output;

  @Option(
      names = "--for",
      paramLabel = "<duration>",
      converter = DurationConverter.class,
      description = "Stop after a duration such as 30s or 5m (default: never).")
  private @Nullable Long timeMs;

  private final List<Process> nodes = new ArrayList<>();
  private final CountDownLatch ended = new CountDownLatch(1);

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("holdfast-cluster-");
    Thread hook = Thread.ofPlatform().unstarted(() -> end(directory));
    Runtime.getRuntime().addShutdownHook(hook);
    List<Integer> ports = freePorts(2 * NODES);
    String cluster =
        IntStream.range(0, NODES)
            .mapToObj(i -> name(i) + "=127.0.0.1:" + ports.get(NODES + i))
            .collect(Collectors.joining(","));
    for (int i = 0; i < NODES; i++) {
      nodes.add(start(i, ports.get(i), cluster, directory));
      say(
          "%s is process %d: http://127.0.0.1:%d"
              .formatted(name(i), nodes.get(i).pid(), ports.get(i)));
    }
    String[] addresses =
        ports.subList(0, NODES).stream()
            .map(port -> "http://127.0.0.1:" + port)
            .toArray(String[]::new);
    say("Show the cluster:   holdfast cluster status --server " + addresses[0]);
    say("Kill a node:        kill -9 " + nodes.getFirst().pid());
    try (DemoLoad load = new DemoLoad(addresses)) {
      long endNanos =
          System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeMs == null ? 0 : timeMs);
      while (timeMs == null || System.nanoTime() < endNanos) {
        if (ended.await(REPORT_SECONDS, TimeUnit.SECONDS)) {
          break;
        }
        say(load.report());
      }
    }
    Runtime.getRuntime().removeShutdownHook(hook);
    end(directory);
    return ExitCodes.DONE;
  }

  private static String name(int index) {
    return "n" + (index + 1);
  }

  private static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> open = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        open.add(new ServerSocket(0));
      }
      return open.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      for (ServerSocket one : open) {
        one.close();
      }
    }
  }

  private static Process start(int index, int port, String cluster, Path directory)
      throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(
            java,
            "-Xmx256m",
            "--sun-misc-unsafe-memory-access=allow",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            MAIN,
            "serve",
            "--port",
            String.valueOf(port),
            "--data",
            directory.resolve(name(index)).toString(),
            "--node",
            name(index),
            "--cluster",
            cluster,
            "--client-address",
            "http://127.0.0.1:" + port)
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve(name(index) + ".log").toFile())
        .start();
  }

  private void end(Path directory) {
    ended.countDown();
    nodes.forEach(Process::destroyForcibly);
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException left) {
      say("Some files are left in " + directory);
    }
  }

  private void say(String line) {
    output.print(new Text().line(line));
  }
}
