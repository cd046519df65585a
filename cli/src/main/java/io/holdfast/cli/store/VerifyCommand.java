package io.holdfast.cli.store;

import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.output.ExitCodes;
import io.holdfast.cli.output.Labels;
import io.holdfast.cli.output.OutputOptions;
import io.holdfast.cli.terminal.Text;
import io.holdfast.engine.seal.KeyFile;
import io.holdfast.engine.seal.KeyFileException;
import io.holdfast.engine.seal.Keys;
import io.holdfast.engine.store.StoreException;
import io.holdfast.engine.verify.Verify;
import io.holdfast.json.JsonOut;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code verify} command. */
@Command(
    name = "verify",
    description = {
      "Check the data of a stopped broker, or a checkpoint, without changing it.",
      "Checks the checksums of all files, that every row can be read, that rows are consistent, and"
          + " that counters are right.",
      "Exits with 0 if there are no errors, 1 if there are, 2 if the data cannot be opened."
    },
    footer = {"  holdfast verify ./data"})
public final class VerifyCommand implements Callable<Integer> {
  private static final long PROGRESS_NANOS = 2_000_000_000L;

  @Mixin private OutputOptions output;

  @Parameters(paramLabel = "<data-dir>", description = "Data directory or checkpoint.")
  private Path directory;

  @Option(
      names = "--keys",
      paramLabel = "<file>",
      description = "Key file, to check that every encrypted payload can be decrypted.")
  private @Nullable Path keys;

  @Override
  public Integer call() {
    Verify.Report report;
    try {
      report =
          Verify.directory(
              directory,
              keys == null ? Keys.NONE : KeyFile.read(keys),
              new ProgressLog(output.err()));
    } catch (StoreException | KeyFileException unopened) {
      return output.fail(ExitCodes.USAGE, String.valueOf(unopened.getMessage()));
    }
    return output.print(
        CommandOutput.of(() -> document(report), () -> text(report))
            .exit(report.isSound() ? ExitCodes.DONE : ExitCodes.REFUSED));
  }

  private Text text(Verify.Report report) {
    Text text = new Text();
    report.violations().forEach(text::line);
    long rows = report.rows().values().stream().mapToLong(Long::longValue).sum();
    if (report.count() > report.violations().size()) {
      text.line("and " + (report.count() - report.violations().size()) + " more");
    }
    text.line(
        "%s: %d files, %d rows, %d messages in lanes"
            .formatted(directory, report.files(), rows, report.messages()));
    report
        .sealed()
        .forEach(
            (key, count) ->
                text.line("%d payloads are encrypted with key %s".formatted(count, key)));
    return text.line(report.isSound() ? "no errors" : Labels.count(report.count(), "error"));
  }

  private JsonOut document(Verify.Report report) {
    JsonOut out =
        new JsonOut()
            .beginObject()
            .put("directory", directory.toString())
            .put("sound", report.isSound())
            .put("files", report.files())
            .put("messages", report.messages());
    counts(out, "rows", report.rows());
    counts(out, "encrypted", report.sealed());
    out.put("violationCount", report.count()).beginArray("violations");
    report.violations().forEach(out::add);
    return out.endArray().endObject();
  }

  private static void counts(JsonOut out, String name, Map<String, Long> counts) {
    out.beginObject(name);
    counts.forEach((key, count) -> out.put(key, count));
    out.endObject();
  }

  /** Prints the progress every two seconds. */
  private static final class ProgressLog implements Verify.Progress {
    private final PrintWriter err;
    private long lastNanos = System.nanoTime();

    ProgressLog(PrintWriter err) {
      this.err = err;
    }

    @Override
    public void files(int done, int all) {
      print(() -> "checked " + done + " of " + all + " files");
    }

    @Override
    public void rows(String table, long done) {
      print(() -> "read " + done + " rows of " + table);
    }

    private void print(Supplier<String> what) {
      long nanos = System.nanoTime();
      if (nanos - lastNanos >= PROGRESS_NANOS) {
        lastNanos = nanos;
        err.println(what.get());
        err.flush();
      }
    }
  }
}
