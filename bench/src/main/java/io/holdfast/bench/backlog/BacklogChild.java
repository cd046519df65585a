package io.holdfast.bench.backlog;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.ChildJvm;
import io.holdfast.bench.Report;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The program of a backlog run, in a JVM of its own, because its heap must be small. */
public final class BacklogChild {
  private static final String HEAP = "-Xmx256m";
  private static final String NO_DIRECTORY = "";

  private BacklogChild() {}

  /**
   * Runs the program in a JVM that prints to where this one prints; answers its exit status: 0 if
   * all checks held, 1 if not.
   */
  public static int launch(BacklogSize size, @Nullable Path parent, boolean json)
      throws IOException, InterruptedException {
    Process process =
        new ChildJvm(BacklogChild.class)
            .option(HEAP)
            .command(
                List.of(
                    Long.toString(size.messages()),
                    Long.toString(size.delayed()),
                    Long.toString(size.partitions()),
                    Boolean.toString(json),
                    parent == null ? NO_DIRECTORY : parent.toString()))
            .inheritIO()
            .start();
    Thread end = new Thread(process::destroy);
    Runtime.getRuntime().addShutdownHook(end);
    int status = process.waitFor();
    Runtime.getRuntime().removeShutdownHook(end);
    return status;
  }

  /** Takes what {@link #launch} passes. */
  public static void main(String[] args) throws InterruptedException {
    BacklogSize size =
        new BacklogSize(Long.parseLong(args[0]), Long.parseLong(args[1]), Long.parseLong(args[2]));
    PrintWriter err = new PrintWriter(new OutputStreamWriter(System.err, UTF_8), true);
    Report report =
        new Report(
            new PrintWriter(new OutputStreamWriter(System.out, UTF_8), true),
            err,
            Boolean.parseBoolean(args[3]));
    Path parent = args[4].equals(NO_DIRECTORY) ? null : Path.of(args[4]);
    try {
      new BacklogRun(size, report).run(parent);
    } catch (CheckFailedException e) {
      err.println("check failed: " + e.getMessage());
      System.exit(1);
    }
  }
}
