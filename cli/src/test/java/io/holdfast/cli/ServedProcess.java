package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.bench.ChildJvm;
import io.holdfast.testkit.WaitLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A {@code holdfast serve} in a process of its own, and a client that speaks to it. */
final class ServedProcess implements AutoCloseable {
  private static final Duration PATIENCE = WaitLimits.WORKLOAD;
  private static final Pattern LISTENS =
      Pattern.compile("Holdfast listens on (https?://127\\.0\\.0\\.1:[0-9]+)");

  private final HttpClient client = HttpClient.newHttpClient();
  private final Process process;
  private final Path out;
  private final Path err;

  private ServedProcess(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /** Starts it and does not wait; what it writes goes into files in the directory. */
  static ServedProcess launch(Path directory, Map<String, String> environment, String... arguments)
      throws IOException {
    return launch(directory, new ChildJvm(Main.class), environment, arguments);
  }

  private static ServedProcess launch(
      Path directory, ChildJvm jvm, Map<String, String> environment, String... arguments)
      throws IOException {
    Path out = Files.createTempFile(directory, "out", ".txt");
    Path err = Files.createTempFile(directory, "err", ".txt");
    List<String> all = new ArrayList<>(List.of("serve"));
    all.addAll(List.of(arguments));
    ProcessBuilder builder = jvm.nativeLibraryIn(directory.resolve("native")).command(all);
    builder.environment().putAll(environment);
    Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    return new ServedProcess(process, out, err);
  }

  /** Starts it on a free port and waits until it listens. */
  static ServedProcess start(Path directory) throws IOException {
    ServedProcess served =
        launch(directory, Map.of(), "--port", "0", "--data", directory.resolve("data").toString());
    served.url();
    return served;
  }

  /** The same in a JVM with a heap of so many MiB. */
  static ServedProcess startSmall(Path directory, int heapMb) throws IOException {
    ServedProcess served =
        launch(
            directory,
            new ChildJvm(Main.class).option("-Xmx" + heapMb + "m"),
            Map.of(),
            "--port",
            "0",
            "--data",
            directory.resolve("data").toString());
    served.url();
    return served;
  }

  /** The processor time it has used. */
  Duration cpu() {
    return process.info().totalCpuDuration().orElseThrow();
  }

  /** Where it listens, as it says. */
  String url() {
    await().atMost(PATIENCE).until(() -> LISTENS.matcher(output()).find() || !process.isAlive());
    Matcher matcher = LISTENS.matcher(output());
    assertThat(matcher.find()).as(output() + errors()).isTrue();
    return matcher.group(1);
  }

  String port() {
    return url().replaceFirst(".*:", "");
  }

  String output() {
    return read(out);
  }

  String errors() {
    return read(err);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return client.send(request(path).build(), BodyHandlers.ofString());
  }

  HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
    return client.send(
        request(path).POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
  }

  HttpResponse<String> post(String path, byte[] body) throws IOException, InterruptedException {
    return client.send(
        request(path).POST(BodyPublishers.ofByteArray(body)).build(), BodyHandlers.ofString());
  }

  CompletableFuture<HttpResponse<String>> getLater(String path) {
    return client.sendAsync(request(path).build(), BodyHandlers.ofString());
  }

  CompletableFuture<HttpResponse<String>> postLater(String path, String body) {
    return client.sendAsync(
        request(path).POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(url() + path)).timeout(PATIENCE);
  }

  /** Waits until so many polls are parked. */
  void awaitParked(int polls) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(get("/metrics").body().lines())
                    .anyMatch(line -> line.matches("holdfast_parked_polls " + polls + "(\\.0)?")));
  }

  /** Sends SIGTERM. */
  void terminate() {
    process.destroy();
  }

  /** Sends SIGKILL and waits for the end. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  int exitCode() throws InterruptedException {
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
