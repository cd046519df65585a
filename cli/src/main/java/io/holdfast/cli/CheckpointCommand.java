package io.holdfast.cli;

import io.holdfast.cli.terminal.TextTable;
import io.holdfast.engine.store.ClosedStore;
import io.holdfast.engine.store.RocksStore;
import io.holdfast.engine.store.RocksTuning;
import io.holdfast.engine.store.StoreException;
import io.holdfast.server.Upkeep.Checkpoint;
import io.holdfast.server.http.JsonOut;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** The {@code checkpoint} command: copies the data of a broker, running or not. */
@Command(
    name = "checkpoint",
    description = {
      "Copies all data of a broker, as it is at one moment.",
      "Asks a server, which makes the copy beside its data; with --data and --to copies the data of"
          + " a broker that does not run."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {"  holdfast checkpoint --name before-upgrade"})
final class CheckpointCommand implements Callable<Integer> {
  private static final String PATH = "/api/v1/system/checkpoints";
  private static final int KIB = 1024;

  @Spec private CommandSpec spec;
  @Mixin private RemoteOptions remote;

  @Option(
      names = "--name",
      paramLabel = "<name>",
      description = "What the server calls it (default: the time).")
  private @Nullable String name;

  @Option(names = "--list", description = "Lists the checkpoints of the server instead.")
  private boolean list;

  @Option(
      names = "--data",
      paramLabel = "<dir>",
      description = "The data directory of a broker that does not run.")
  private @Nullable Path data;

  @Option(names = "--to", paramLabel = "<dir>", description = "The directory to make, with --data.")
  private @Nullable Path to;

  @Override
  public Integer call() {
    Path from = data;
    Path target = to;
    if (from == null && target == null) {
      return remote.run(broker -> list ? listed() : made());
    }
    if (from == null || target == null || name != null || list) {
      throw new ParameterException(
          spec.commandLine(), "--data and --to: expected both, and neither --name nor --list");
    }
    return copied(from, target);
  }

  private int made() {
    JsonOut body = new JsonOut().beginObject();
    if (name != null) {
      body.put("name", name);
    }
    long begunNanos = System.nanoTime();
    JsonNode made = new ServerCall(remote.config()).post(PATH, body.endObject().done());
    return tell(made.path("directory").asString(), made.path("bytes").asLong(), begunNanos, made);
  }

  private int listed() {
    JsonNode found = new ServerCall(remote.config()).get(PATH);
    if (remote.json()) {
      return remote.print(found.toString());
    }
    TextTable table = new TextTable("NAME", "MADE", "SIZE", "DIRECTORY");
    for (JsonNode one : found.path("checkpoints")) {
      table.row(
          one.path("name").asString(),
          one.path("createdAt").asString(),
          size(one.path("bytes").asLong()),
          one.path("directory").asString());
    }
    return remote.print(found.path("checkpoints").isEmpty() ? "no checkpoints" : table.toString());
  }

  /** Copies without a broker: what is due stays due. */
  private int copied(Path from, Path target) {
    long begunNanos = System.nanoTime();
    try {
      // Otherwise a store would be made where there is none.
      ClosedStore.at(from).close();
      Path parent = target.toAbsolutePath().getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      try (RocksStore store = RocksStore.open(from, RocksTuning.MODEST)) {
        store.checkpoint(target);
      }
      Checkpoint made = Checkpoints.describe(target);
      return tell(made.directory(), made.bytes(), begunNanos, null);
    } catch (StoreException | IOException failed) {
      return remote.fail(String.valueOf(failed.getMessage()));
    }
  }

  private int tell(String directory, long bytes, long begunNanos, @Nullable JsonNode answer) {
    long tookMs = (System.nanoTime() - begunNanos) / 1_000_000;
    if (remote.json()) {
      return answer != null
          ? remote.print(answer.toString())
          : remote.print(
              new JsonOut()
                  .beginObject()
                  .put("directory", directory)
                  .put("bytes", bytes)
                  .endObject());
    }
    remote.print(
        "checkpoint %s: %s, made in %.1f s"
            .formatted(directory, size(bytes), (double) tookMs / 1_000));
    return CommandLine.ExitCode.OK;
  }

  static String size(long bytes) {
    if (bytes < KIB) {
      return bytes + " B";
    }
    double amount = (double) bytes / KIB;
    String[] units = {"KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    while (amount >= KIB && unit < units.length - 1) {
      amount /= KIB;
      unit++;
    }
    return "%.1f %s".formatted(amount, units[unit]);
  }
}
