package io.holdfast.cli.bench;

import io.holdfast.bench.BenchDirectory;
import io.holdfast.bench.crash.CrashRounds;
import io.holdfast.cli.output.ExitCodes;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code bench crash} command. */
@Command(
    name = "crash",
    description = {
      "Kill a broker under load repeatedly, and check that no acknowledged change is lost.",
      "Exits with 1 if a change was lost or undone; the data directory is then kept."
    },
    footer = {"  holdfast bench crash --rounds 200", "  holdfast bench crash --http --seed 42"})
final class BenchCrashCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--http",
      description = "Kill a server with HTTP clients instead of an embedded broker.")
  private boolean http;

  @Option(
      names = "--rounds",
      paramLabel = "<n>",
      defaultValue = "30",
      description = "Number of kills (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--answers-per-round",
      paramLabel = "<n>",
      defaultValue = "1000",
      description =
          "Kill after a random number of answers, at most this many (default: ${DEFAULT-VALUE}).")
  private int answersMax;

  @Option(
      names = "--seed",
      paramLabel = "<n>",
      description = "Random seed (default: from the clock; it is printed).")
  private @Nullable Long seed;

  @Option(
      names = "--dir",
      paramLabel = "<dir>",
      description =
          "Directory for data (default: target if it exists, else the temporary directory).")
  private @Nullable Path directory;

  @Override
  public Integer call() throws IOException, InterruptedException {
    CommandLine commandLine = spec.commandLine();
    if (rounds < 1 || answersMax < 1) {
      throw new ParameterException(
          commandLine, "--rounds, --answers-per-round: expected more than 0");
    }
    PrintWriter out = commandLine.getOut();
    PrintWriter err = commandLine.getErr();
    long start = seed == null ? System.nanoTime() : seed;
    out.println("seed " + start);
    out.flush();
    try (BenchDirectory work = BenchDirectory.in(directory)) {
      CrashRounds crashes =
          http
              ? CrashRounds.overHttp(work.path(), rounds, answersMax, start, line -> say(err, line))
              : CrashRounds.embedded(
                  work.path(), rounds, answersMax, start, line -> say(err, line));
      CrashRounds.Summary summary = crashes.run();
      print(out, summary);
      if (summary.violations().isEmpty()) {
        return ExitCodes.DONE;
      }
      work.keep();
      out.println("the data directory is kept: " + work.path());
      return ExitCodes.REFUSED;
    } finally {
      out.flush();
    }
  }

  private static void say(PrintWriter err, String line) {
    err.println(line);
    err.flush();
  }

  private static void print(PrintWriter out, CrashRounds.Summary summary) {
    out.println("kills                 " + summary.rounds());
    out.println("acknowledged pushes   " + summary.tally().pushes());
    out.println("acknowledged settles  " + summary.tally().settles());
    out.println("acknowledged commits  " + summary.tally().commits());
    out.println("  and transactions    " + summary.tally().transactions());
    out.println("acknowledged extends  " + summary.tally().extensions());
    out.println("live leases checked   " + summary.leases());
    out.println("long delays checked   " + summary.delays());
    out.println("violations            " + summary.violations().size());
    summary.violations().forEach(violation -> out.println("  " + violation));
  }
}
