package io.holdfast.cli;

import io.holdfast.cli.terminal.TextTable;
import io.holdfast.engine.seal.KeyFile;
import io.holdfast.engine.seal.KeyFileException;
import io.holdfast.server.http.JsonOut;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code key} command: looks after the file with the keys of encrypted queues. */
@Command(
    name = "key",
    description = {
      "Looks after the file with the keys of encrypted queues.",
      "A key itself is never shown."
    },
    mixinStandardHelpOptions = true,
    subcommands = {KeyCommand.Create.class, KeyCommand.Rotate.class, KeyCommand.Show.class})
final class KeyCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    CommandLine commandLine = spec.commandLine();
    commandLine.usage(commandLine.getOut());
  }

  /** The options of all commands about keys, and how they end. */
  static final class Options {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
        names = "--keys",
        paramLabel = "<file>",
        defaultValue = "${env:HOLDFAST_KEYS:-holdfast.keys}",
        description = "The key file (default: ${DEFAULT-VALUE}). HOLDFAST_KEYS")
    private Path keys;

    /** What a command does with the file; answers what to say. */
    interface Action {
      String run(Path file);
    }

    int run(Action action) {
      CommandLine commandLine = spec.commandLine();
      try {
        commandLine.getOut().println(action.run(keys));
        commandLine.getOut().flush();
        return ExitCode.OK;
      } catch (KeyFileException unusable) {
        commandLine.getErr().println(unusable.getMessage());
        commandLine.getErr().flush();
        return ExitCode.SOFTWARE;
      }
    }
  }

  /** The {@code key create} command. */
  @Command(
      name = "create",
      description = "Makes a key file with a first key, readable by its owner only.",
      mixinStandardHelpOptions = true)
  static final class Create implements Callable<Integer> {
    @Mixin private Options options;

    @Override
    public Integer call() {
      return options.run(
          file ->
              """
              The key file %s has its first key, %s.
              Keep a copy of it in a safe place: without it what is encrypted is lost.
              Start the broker with it: ./holdfast serve --keys %s"""
                  .formatted(file, KeyFile.create(file, Instant.now()).id(), file));
    }
  }

  /** The {@code key rotate} command. */
  @Command(
      name = "rotate",
      description = "Adds a key, with which new messages are encrypted; old ones stay readable.",
      mixinStandardHelpOptions = true)
  static final class Rotate implements Callable<Integer> {
    @Mixin private Options options;

    @Override
    public Integer call() {
      return options.run(
          file ->
              """
              The current key of %s is now %s; the others still open what was stored under them.
              Keep a copy of the file in a safe place, then start the broker again."""
                  .formatted(file, KeyFile.rotate(file, Instant.now()).id()));
    }
  }

  /** The {@code key list} command. */
  @Command(
      name = "list",
      description = "Lists the keys of a file, oldest first: their ids, not the keys.",
      mixinStandardHelpOptions = true)
  static final class Show implements Callable<Integer> {
    @Mixin private Options options;

    @Option(names = "--json", description = "Answer with JSON instead of a table.")
    private boolean json;

    @Override
    public Integer call() {
      return options.run(
          file -> {
            List<KeyFile.Entry> keys = KeyFile.list(file);
            return json ? document(keys) : table(keys);
          });
    }

    private static String table(List<KeyFile.Entry> keys) {
      TextTable table = new TextTable("KEY", "MADE", "CURRENT");
      for (KeyFile.Entry key : keys) {
        table.row(key.id(), key.madeAt(), key.current() ? "yes" : null);
      }
      return table.toString();
    }

    private static String document(List<KeyFile.Entry> keys) {
      JsonOut out = new JsonOut().beginObject().beginArray("keys");
      for (KeyFile.Entry key : keys) {
        out.beginObject()
            .put("id", key.id())
            .putTime("madeAt", key.madeAt().toEpochMilli())
            .put("current", key.current())
            .endObject();
      }
      return new String(out.endArray().endObject().done(), StandardCharsets.UTF_8);
    }
  }
}
