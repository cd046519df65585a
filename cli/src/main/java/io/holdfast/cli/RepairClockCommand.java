package io.holdfast.cli;

import io.holdfast.engine.ClockRepair;
import io.holdfast.engine.store.StoreException;
import io.holdfast.server.http.JsonOut;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code repair-clock} command: sets the time of a stopped broker back to the system clock. */
@Command(
    name = "repair-clock",
    description = {
      "Sets the time of a stopped broker back to the system clock.",
      "For a broker that ran while the system clock was far ahead. Without --yes it only prints how"
          + " many rows would change.",
      "Delays, leases and retention keep the time they have left. Message ids do not change.",
      "Exits with 0 if it is done or not needed, 1 if --yes is missing, 2 if the data cannot be"
          + " opened."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {"  holdfast repair-clock ./data", "  holdfast repair-clock ./data --yes"})
final class RepairClockCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "<data-dir>", description = "The data directory.")
  private Path directory;

  @Option(
      names = {"-y", "--yes"},
      description = "Change the data. Make a checkpoint first.")
  private boolean yes;

  @Option(names = "--json", description = "Answer with JSON.")
  private boolean json;

  @Override
  public Integer call() {
    CommandLine commandLine = spec.commandLine();
    long wallMs = System.currentTimeMillis();
    ClockRepair.Report report;
    try {
      report = yes ? ClockRepair.run(directory, wallMs) : ClockRepair.dryRun(directory, wallMs);
    } catch (StoreException unopened) {
      commandLine.getErr().println(unopened.getMessage());
      commandLine.getErr().flush();
      return ExitCode.USAGE;
    }
    PrintWriter out = commandLine.getOut();
    if (json) {
      out.println(document(report));
    } else {
      print(out, report);
    }
    out.flush();
    return yes || !report.isNeeded() ? Exit.DONE : Exit.REFUSED;
  }

  private void print(PrintWriter out, ClockRepair.Report report) {
    out.println("system clock:          " + Instant.ofEpochMilli(report.wallMs()));
    out.println("last time of the data: " + Instant.ofEpochMilli(report.lastMs()));
    if (!report.isNeeded()) {
      out.println("The broker's time needs no repair.");
      return;
    }
    long aheadMs = report.lastMs() - report.wallMs();
    report.rows().forEach((table, rows) -> out.println("%-12s %d rows".formatted(table, rows)));
    out.println(
        yes
            ? "The broker's time was set back by " + Duration.ofSeconds(aheadMs / 1000) + "."
            : "Nothing was changed. Make sure that the system clock is right, make a checkpoint,"
                + " and run it again with --yes.");
  }

  private String document(ClockRepair.Report report) {
    JsonOut out =
        new JsonOut()
            .beginObject()
            .put("directory", directory.toString())
            .putTime("systemClock", report.wallMs())
            .putTime("lastTime", report.lastMs())
            .put("needed", report.isNeeded())
            .put("changed", yes && report.isNeeded())
            .beginObject("rows");
    report.rows().forEach((table, rows) -> out.put(table, rows));
    return new String(out.endObject().endObject().done(), StandardCharsets.UTF_8);
  }
}
