package io.holdfast.cli;

import io.holdfast.engine.seal.KeyFile;
import io.holdfast.engine.seal.KeyFileException;
import io.holdfast.engine.seal.Keys;
import io.holdfast.engine.store.StoreException;
import io.holdfast.engine.verify.Verify;
import io.holdfast.server.http.JsonOut;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code verify} command: looks at the data of a broker that does not run. */
@Command(
    name = "verify",
    description = {
      "Checks the data of a broker that does not run, or a checkpoint, and changes nothing:",
      "the checksums of all files, that every row can be read, that rows do not contradict each"
          + " other, and that counts are right.",
      "Exits with 0 if all is well, 1 if something is wrong, 2 if it cannot look."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {"  holdfast verify ./data"})
final class VerifyCommand implements Callable<Integer> {
  private static final long PROGRESS_NANOS = 2_000_000_000L;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "<data-dir>", description = "The data directory, or a checkpoint.")
  private Path directory;

  @Option(
      names = "--keys",
      paramLabel = "<file>",
      description = "Check with these keys that every encrypted payload can be read.")
  private @Nullable Path keys;

  @Option(names = "--json", description = "Answer with JSON.")
  private boolean json;

  @Override
  public Integer call() {
    CommandLine commandLine = spec.commandLine();
    Verify.Report report;
    try {
      Keys with = keys == null ? Keys.NONE : KeyFile.read(keys);
      report = Verify.directory(directory, with, new Telling(commandLine.getErr()));
    } catch (StoreException | KeyFileException unlooked) {
      commandLine.getErr().println(unlooked.getMessage());
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
    return report.isSound() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private void print(PrintWriter out, Verify.Report report) {
    report.violations().forEach(out::println);
    if (report.count() > report.violations().size()) {
      out.println("and " + (report.count() - report.violations().size()) + " more");
    }
    long rows = report.rows().values().stream().mapToLong(Long::longValue).sum();
    out.println(
        "%s: %d files, %d rows, %d messages in lanes"
            .formatted(directory, report.files(), rows, report.messages()));
    report
        .sealed()
        .forEach(
            (key, count) ->
                out.println("%d payloads are encrypted under key %s".formatted(count, key)));
    out.println(report.isSound() ? "all is well" : report.count() + " things are wrong");
  }

  private String document(Verify.Report report) {
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
    return new String(out.endArray().endObject().done(), StandardCharsets.UTF_8);
  }

  private static void counts(JsonOut out, String name, Map<String, Long> counts) {
    out.beginObject(name);
    counts.forEach((key, count) -> out.put(key, count));
    out.endObject();
  }

  /** Says now and then how far it is. */
  private static final class Telling implements Verify.Progress {
    private final PrintWriter err;
    private long lastNanos = System.nanoTime();

    Telling(PrintWriter err) {
      this.err = err;
    }

    @Override
    public void files(int done, int all) {
      tell(() -> "checked " + done + " of " + all + " files");
    }

    @Override
    public void rows(String table, long done) {
      tell(() -> "read " + done + " rows of " + table);
    }

    private void tell(Supplier<String> what) {
      long nanos = System.nanoTime();
      if (nanos - lastNanos >= PROGRESS_NANOS) {
        lastNanos = nanos;
        err.println(what.get());
        err.flush();
      }
    }
  }
}
