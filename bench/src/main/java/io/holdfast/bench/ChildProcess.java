package io.holdfast.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A server program in a process of its own, with the processes that it starts. It is ended when it
 * is closed, and also if this JVM is ended by a signal.
 *
 * <p>Thread: any.
 */
public final class ChildProcess implements AutoCloseable {
  private static final long STOP_SECONDS_MAX = 30;
  private static final long KILL_SECONDS_MAX = 10;
  private static final int TAIL_LINES_MAX = 20;

  private final String name;
  private final Process process;
  private final Path log;
  private final String stopSignal;
  private final Runnable onExit = this::kill;

  /** Processes that it started, also if the one between has ended since. */
  private final Set<ProcessHandle> children = ConcurrentHashMap.newKeySet();

  private ChildProcess(String name, Process process, Path log, String stopSignal) {
    this.name = name;
    this.process = process;
    this.log = log;
    this.stopSignal = stopSignal;
  }

  /**
   * Starts a program.
   *
   * @param log the file to which its output is appended
   */
  public static ChildProcess start(String name, ProcessBuilder program, Path log)
      throws IOException {
    return start(name, program, log, "TERM");
  }

  /**
   * Starts a program that is stopped with a signal of its own.
   *
   * @param stopSignal the signal that stops it, such as INT
   */
  public static ChildProcess start(String name, ProcessBuilder program, Path log, String stopSignal)
      throws IOException {
    program.redirectErrorStream(true);
    program.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    ChildProcess child = new ChildProcess(name, program.start(), log, stopSignal);
    ExitActions.add(child.onExit);
    return child;
  }

  public ProcessHandle handle() {
    return process.toHandle();
  }

  /** Remembers the processes that it has started, to end them even if their parent ends before. */
  public void noteChildren() {
    process.descendants().forEach(children::add);
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Waits for its end; returns its exit status, or throws if it takes longer than the limit. */
  public int await(long seconds) throws InterruptedException {
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      throw failure("did not end within " + seconds + " s");
    }
    return process.exitValue();
  }

  /** The last lines of its output. */
  public String logTail() {
    try {
      List<String> lines = Files.readAllLines(log, UTF_8);
      return String.join(
          "\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES_MAX), lines.size()));
    } catch (IOException | UncheckedIOException unreadable) {
      return "(" + log + " cannot be read: " + unreadable + ")";
    }
  }

  /** The failure of a program that ended or did not become ready. */
  public IllegalStateException failure(String what) {
    return new IllegalStateException(
        name + " " + what + "; the end of its output:\n" + logTail().indent(2).stripTrailing());
  }

  /** The resident memory of its processes in MiB; memory that they share counts once. */
  public double residentMb() {
    List<Long> pids = pids();
    return pids.size() == 1
        ? readMb(pids.getFirst(), "status", "VmRSS:")
        : pids.stream().mapToDouble(pid -> readMb(pid, "smaps_rollup", "Pss:")).sum();
  }

  /** The most resident memory that its first process has had, in MiB. */
  public double peakMb() {
    return readMb(process.pid(), "status", "VmHWM:");
  }

  private List<Long> pids() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .map(ProcessHandle::pid)
        .toList();
  }

  /** Reads a value of /proc in MiB; 0 if the process has ended or the system has no /proc. */
  private static double readMb(long pid, String file, String key) {
    try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), file), UTF_8)) {
      return lines
          .filter(line -> line.startsWith(key))
          .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024)
          .findFirst()
          .orElse(0);
    } catch (IOException | UncheckedIOException ended) {
      return 0;
    }
  }

  /** Ends all its processes at once. */
  public void kill() {
    noteChildren();
    children.forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    try {
      process.waitFor(KILL_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets it stop in its own way, and ends it if that takes too long. */
  @Override
  public void close() {
    try {
      if (process.isAlive()) {
        noteChildren();
        new ProcessBuilder("kill", "-s", stopSignal, Long.toString(process.pid()))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
        process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot stop " + name, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      kill();
      ExitActions.remove(onExit);
    }
  }
}
