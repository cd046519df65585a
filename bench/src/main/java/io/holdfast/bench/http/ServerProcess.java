package io.holdfast.bench.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.bench.ChildJvm;
import io.holdfast.engine.EngineConfig.Durability;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A server in a JVM of its own. It dies with this process.
 *
 * <p>Thread: one.
 */
public final class ServerProcess implements AutoCloseable {
  private static final long END_S_MAX = 120;
  private static final int COMPLAINT_LINES_MAX = 20;

  private final Process process;
  private final BufferedReader output;
  private final Path log;
  private int port;

  private ServerProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
    this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
  }

  /** The JVM of a server, not yet started. */
  public static ChildJvm jvm() {
    return new ChildJvm(ServerChild.class);
  }

  /**
   * Starts a server on any free port.
   *
   * @param log where its complaints go
   */
  public static ServerProcess start(ChildJvm jvm, Path data, Path log, Durability durability)
      throws IOException {
    return start(jvm, data, log, durability, 0);
  }

  /** Starts a server where one may have been before. */
  public static ServerProcess start(
      ChildJvm jvm, Path data, Path log, Durability durability, int port) throws IOException {
    ProcessBuilder command =
        jvm.command(List.of(data.toString(), durability.name(), Integer.toString(port)));
    command.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    return new ServerProcess(command.start(), log);
  }

  /** Waits until it listens; answers the port, or 0 if it ended before. */
  public int awaitPort() throws IOException {
    if (port == 0) {
      port = readPort();
    }
    return port;
  }

  private int readPort() throws IOException {
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith(ServerChild.PORT)) {
        Thread.ofVirtual().start(this::skipTheRest);
        return Integer.parseInt(line.substring(ServerChild.PORT.length()));
      }
    }
    return 0;
  }

  /** A log that nobody reads would stop who writes it. */
  private void skipTheRest() {
    try {
      output.transferTo(Writer.nullWriter());
    } catch (IOException ended) {
      // There is nothing more to skip.
    }
  }

  /** The port; throws if it ended instead of listening. */
  public int port() throws IOException {
    if (awaitPort() == 0) {
      throw new IllegalStateException("the server did not start and said: " + complaint());
    }
    return port;
  }

  /** The end of what it complained of. */
  public String complaint() throws IOException {
    List<String> lines = Files.readAllLines(log, UTF_8);
    return String.join(
        "\n", lines.subList(Math.max(0, lines.size() - COMPLAINT_LINES_MAX), lines.size()));
  }

  /** The process, to ask what it uses. */
  public ProcessHandle handle() {
    return process.toHandle();
  }

  /** The memory that is resident, in MiB; 0 if the system does not tell. */
  public double rssMb() {
    Path status = Path.of("/proc/" + process.pid() + "/status");
    try (Stream<String> lines = Files.lines(status, UTF_8)) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024)
          .findFirst()
          .orElse(0);
    } catch (IOException | UncheckedIOException untold) {
      return 0;
    }
  }

  /** Kills it with SIGKILL; answers whether it still lived. */
  public boolean kill() throws InterruptedException {
    boolean lived = process.isAlive();
    process.toHandle().destroyForcibly();
    process.waitFor();
    return lived;
  }

  /** Lets it drain and end. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(END_S_MAX, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the server did not end in " + END_S_MAX + " s");
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot tell the server to end", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.destroyForcibly();
    }
  }
}
