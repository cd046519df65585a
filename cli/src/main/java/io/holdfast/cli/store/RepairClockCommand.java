package io.holdfast.cli.store;

import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.output.ExitCodes;
import io.holdfast.cli.output.OutputOptions;
import io.holdfast.cli.terminal.Text;
import io.holdfast.engine.ClockRepair;
import io.holdfast.engine.store.StoreException;
import io.holdfast.json.JsonOut;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code repair-clock} command. */
@Command(
    name = "repair-clock",
    description = {
      "Set the clock of a stopped broker back to the system clock.",
      "For a broker that ran while the system clock was far ahead. Without --yes it only counts the"
          + " rows that would change.",
      "Delays, leases and retention keep their remaining time. Message ids do not change.",
      "Exits with 0 if the clock is repaired or needs no repair, 1 if --yes is missing, 2 if the data"
          + " cannot be opened."
    },
    footer = {"  holdfast repair-clock ./data", "  holdfast repair-clock ./data --yes"})
public final class RepairClockCommand implements Callable<Integer> {
  @Mixin private OutputOptions output;

  @Parameters(paramLabel = "<data-dir>", description = "Data directory.")
  private Path directory;

  @Option(
      names = {"-y", "--yes"},
      description = "Change the data. Make a checkpoint first.")
  private boolean yes;

  @Override
  public Integer call() {
    long wallMs = System.currentTimeMillis();
    ClockRepair.Report report;
    try {
      report = yes ? ClockRepair.run(directory, wallMs) : ClockRepair.dryRun(directory, wallMs);
    } catch (StoreException unopened) {
      return output.fail(ExitCodes.USAGE, String.valueOf(unopened.getMessage()));
    }
    return output.print(
        CommandOutput.of(() -> document(report), () -> text(report))
            .exit(yes || !report.isNeeded() ? ExitCodes.DONE : ExitCodes.REFUSED));
  }

  private Text text(ClockRepair.Report report) {
    Text text =
        new Text()
            .line("system clock:          " + Instant.ofEpochMilli(report.wallMs()))
            .line("last time of the data: " + Instant.ofEpochMilli(report.lastMs()));
    if (!report.isNeeded()) {
      return text.line("The clock of the data needs no repair.");
    }
    Duration ahead = Duration.ofSeconds((report.lastMs() - report.wallMs()) / 1000);
    report.rows().forEach((table, rows) -> text.line("%-12s %d rows".formatted(table, rows)));
    return text.line(
        yes
            ? "The clock of the data was set back by " + ahead + "."
            : "Nothing was changed. Check the system clock, make a checkpoint, then run this command"
                + " with --yes.");
  }

  private JsonOut document(ClockRepair.Report report) {
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
    return out.endObject().endObject();
  }
}
