package io.holdfast.bench.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.bench.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One life of the child, from its start to its death by SIGKILL.
 *
 * <p>Thread: one, and a reader of its own for what the child says.
 */
final class ChildRun {
  private static final long START_MS_MAX = 300_000;
  private static final int COMPLAINT_LINES_MAX = 20;

  private final Process process;
  private final Thread reader;
  private final List<String> lines = new ArrayList<>();
  private final CountDownLatch ready = new CountDownLatch(1);
  private final AnswerCount answers = new AnswerCount();

  private ChildRun(Process process) {
    this.process = process;
    this.reader = Thread.ofPlatform().name("crash-child-output").unstarted(this::read);
  }

  /**
   * Starts a child.
   *
   * @param root where its data, its RocksDB and its log lie
   */
  static ChildRun start(Path root, int round, int workers, long seed) throws IOException {
    ProcessBuilder command =
        new ChildJvm(CrashChild.class)
            .option("-XX:TieredStopAtLevel=1")
            .option("-XX:+UseSerialGC")
            .option("-Xshare:auto")
            .option("-Xmx128m")
            .nativeLibraryIn(root.resolve("native"))
            .command(
                List.of(
                    root.resolve("data").toString(),
                    Integer.toString(round),
                    Integer.toString(workers),
                    Long.toString(seed)));
    command.redirectError(ProcessBuilder.Redirect.appendTo(log(root).toFile()));
    ChildRun run = new ChildRun(command.start());
    run.reader.start();
    return run;
  }

  private static Path log(Path root) {
    return root.resolve("child.log");
  }

  /** The end of what children complained of. */
  static String complaint(Path root) throws IOException {
    List<String> complaints = Files.readAllLines(log(root), UTF_8);
    int from = Math.max(0, complaints.size() - COMPLAINT_LINES_MAX);
    return String.join("\n", complaints.subList(from, complaints.size()));
  }

  /** Waits until the child has opened its data, or has died trying. */
  void awaitReady() throws InterruptedException {
    if (!ready.await(START_MS_MAX, TimeUnit.MILLISECONDS)) {
      process.destroyForcibly().waitFor();
      throw new IllegalStateException("the child did not start in " + START_MS_MAX + " ms");
    }
  }

  /** Waits until the child has written a number of answers, or has died. */
  void awaitAnswers(int count) throws InterruptedException {
    answers.await(count);
  }

  /** Kills the child; answers whether it still lived. */
  boolean kill() throws InterruptedException {
    boolean lived = process.isAlive();
    // Not Process.destroyForcibly: that closes the pipe, and what the child said last is lost.
    process.toHandle().destroyForcibly();
    process.waitFor();
    reader.join();
    return lived;
  }

  /** All that the child said; after its death only. */
  List<String> lines() {
    return lines;
  }

  private void read() {
    try (BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        lines.add(line);
        answers.add(line);
        if (line.contains(Line.Kind.READY.name())) {
          ready.countDown();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read what the child says", e);
    } finally {
      ready.countDown();
      answers.end();
    }
  }
}
