package io.holdfast.bench.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.bench.ChildProcess;
import io.holdfast.engine.EngineConfig.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A {@code holdfast serve} with its default settings in a process of its own, on a free port.
 *
 * <p>Thread: one.
 */
public final class ServeProcess implements AutoCloseable {
  private static final Pattern LISTENS =
      Pattern.compile("Holdfast listens on http://127\\.0\\.0\\.1:([0-9]+)\\s");
  private static final long READY_SECONDS_MAX = 120;
  private static final String OPTIONS_OF_JVM = "HOLDFAST_JAVA_OPTS";

  private final ChildProcess process;
  private final Path log;
  private int port;

  private ServeProcess(ChildProcess process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * Starts a server and waits until it listens.
   *
   * @param serve the command that starts a server with its default settings, without options
   * @param directory a directory of its own, for its data and its output
   */
  public static ServeProcess start(List<String> serve, Path directory, Durability durability)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(serve);
    command.addAll(List.of("--host", "127.0.0.1", "--port", "0"));
    command.addAll(List.of("--data", directory.resolve("data").toString()));
    command.addAll(List.of("--durability", durability.name().toLowerCase(Locale.ROOT)));
    Files.createDirectories(directory);
    ServeProcess server = begin(command, directory, "serve.log");
    try {
      server.awaitListening();
      return server;
    } catch (IOException | InterruptedException | RuntimeException failed) {
      server.close();
      throw failed;
    }
  }

  /**
   * Starts a server, which may listen later.
   *
   * @param command the command with its options
   * @param directory where it runs, and where its output goes
   * @param logName the name of the file for its output, which must not exist yet
   */
  public static ServeProcess begin(List<String> command, Path directory, String logName)
      throws IOException {
    return begin(command, directory, logName, Map.of());
  }

  /**
   * The same with variables of the environment.
   *
   * @param variables those that the server has besides those of this process
   */
  public static ServeProcess begin(
      List<String> command, Path directory, String logName, Map<String, String> variables)
      throws IOException {
    Path log = Files.createFile(directory.resolve(logName));
    ProcessBuilder program = new ProcessBuilder(command).directory(directory.toFile());
    // Variables of this shell would change the settings.
    program
        .environment()
        .keySet()
        .removeIf(name -> name.startsWith("HOLDFAST_") && !name.equals(OPTIONS_OF_JVM));
    program.environment().putAll(variables);
    return new ServeProcess(ChildProcess.start("holdfast serve", program, log), log);
  }

  /** Waits until it listens. */
  public void awaitListening() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + READY_SECONDS_MAX * 1_000_000_000;
    while (System.nanoTime() - deadline < 0) {
      boolean ended = !process.isAlive();
      Matcher matcher = LISTENS.matcher(Files.readString(log, UTF_8));
      if (matcher.find()) {
        port = Integer.parseInt(matcher.group(1));
        return;
      }
      if (ended) {
        throw process.failure("ended before it listened");
      }
      Thread.sleep(1);
    }
    throw process.failure("did not listen within " + READY_SECONDS_MAX + " s");
  }

  public int port() {
    return port;
  }

  public String url() {
    return "http://127.0.0.1:" + port;
  }

  public ChildProcess process() {
    return process;
  }

  @Override
  public void close() {
    process.close();
  }
}
