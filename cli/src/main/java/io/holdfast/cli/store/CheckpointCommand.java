package io.holdfast.cli.store;

import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.terminal.ByteCount;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.engine.store.ClosedStore;
import io.holdfast.engine.store.RocksStore;
import io.holdfast.engine.store.RocksTuning;
import io.holdfast.engine.store.StoreException;
import io.holdfast.json.JsonOut;
import io.holdfast.server.Upkeep.Checkpoint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** The {@code checkpoint} command. */
@Command(
    name = "checkpoint",
    description = {
      "Create or list checkpoints: consistent copies of all data of a broker.",
      "A server creates the checkpoint on its own disk; --data and --to copy the data of a stopped"
          + " broker."
    },
    footer = {
      "  holdfast checkpoint --name before-upgrade",
      "  holdfast checkpoint --list",
      "  holdfast checkpoint --data ./data --to ./copy"
    })
public final class CheckpointCommand implements Callable<Integer> {
  private static final String PATH = "/api/v1/system/checkpoints";

  @Spec private CommandSpec spec;
  @Mixin private ServerOptions remote;

  @Option(
      names = "--name",
      paramLabel = "<name>",
      description = "Name of the checkpoint (default: the time).")
  private @Nullable String name;

  @Option(names = "--list", description = "List the checkpoints of the server instead.")
  private boolean list;

  @Option(
      names = "--data",
      paramLabel = "<dir>",
      description = "Data directory of a stopped broker.")
  private @Nullable Path data;

  @Option(names = "--to", paramLabel = "<dir>", description = "Directory to create, with --data.")
  private @Nullable Path to;

  @Override
  public Integer call() {
    Path from = data;
    Path target = to;
    if (from == null && target == null) {
      return remote.run(broker -> list ? list() : create());
    }
    if (from == null || target == null || name != null || list) {
      throw new ParameterException(
          spec.commandLine(), "--data and --to: expected both, and neither --name nor --list");
    }
    return copy(from, target);
  }

  private int create() {
    JsonOut body = new JsonOut().beginObject();
    if (name != null) {
      body.put("name", name);
    }
    long startNanos = System.nanoTime();
    JsonNode made = new ServerCall(remote.config()).post(PATH, body.endObject().done());
    return print(
        made.path("directory").asString(),
        made.path("bytes").asLong(),
        startNanos,
        () -> new JsonOut().addPayload(made.toString().getBytes(StandardCharsets.UTF_8)));
  }

  private int list() {
    JsonNode found = new ServerCall(remote.config()).get(PATH);
    return remote.print(
        CommandOutput.of(
            () -> new JsonOut().addPayload(found.toString().getBytes(StandardCharsets.UTF_8)),
            () -> text(found.path("checkpoints"))));
  }

  private static Text text(JsonNode checkpoints) {
    if (checkpoints.isEmpty()) {
      return new Text().line("no checkpoints");
    }
    TextTable table = new TextTable("NAME", "CREATED", "SIZE", "DIRECTORY");
    for (JsonNode one : checkpoints) {
      table.row(
          one.path("name").asString(),
          one.path("createdAt").asString(),
          new ByteCount(one.path("bytes").asLong()),
          one.path("directory").asString());
    }
    return new Text().table(table);
  }

  /** Copies without a broker: no timer runs. */
  private int copy(Path from, Path target) {
    long startNanos = System.nanoTime();
    try {
      // Otherwise an absent store would be created.
      ClosedStore.at(from).close();
      Path parent = target.toAbsolutePath().getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      try (RocksStore store = RocksStore.open(from, RocksTuning.MODEST)) {
        store.checkpoint(target);
      }
      Checkpoint made = Checkpoints.describe(target);
      return print(
          made.directory(),
          made.bytes(),
          startNanos,
          () ->
              new JsonOut()
                  .beginObject()
                  .put("directory", made.directory())
                  .put("bytes", made.bytes())
                  .endObject());
    } catch (StoreException | IOException failed) {
      return remote.fail(String.valueOf(failed.getMessage()));
    }
  }

  private int print(String directory, long bytes, long startNanos, Supplier<JsonOut> json) {
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    return remote.print(
        CommandOutput.of(
            json,
            () ->
                new Text()
                    .line(
                        "created checkpoint %s: %s in %.1f s"
                            .formatted(directory, new ByteCount(bytes), seconds))));
  }
}
