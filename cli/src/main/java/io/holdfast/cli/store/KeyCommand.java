package io.holdfast.cli.store;

import io.holdfast.cli.options.CommandGroup;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.output.OutputOptions;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.engine.seal.KeyFile;
import io.holdfast.engine.seal.KeyFileException;
import io.holdfast.json.JsonOut;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code key} command. */
@Command(
    name = "key",
    description = {
      "Create, rotate or list the keys of encrypted queues in a key file.",
      "The keys themselves are never printed."
    },
    footer = {"  holdfast key create --keys holdfast.keys"},
    subcommands = {KeyCommand.Create.class, KeyCommand.Rotate.class, KeyCommand.Show.class})
public final class KeyCommand extends CommandGroup {

  /** The key file of a command, and how the command ends. */
  static final class Options extends OutputOptions {
    @Option(
        names = "--keys",
        paramLabel = "<file>",
        defaultValue = "${env:HOLDFAST_KEYS:-holdfast.keys}",
        description = "Key file (default: ${DEFAULT-VALUE}). HOLDFAST_KEYS")
    private Path keys;

    private int run(Function<Path, CommandOutput> action) {
      try {
        return print(action.apply(keys));
      } catch (KeyFileException unusable) {
        return fail(String.valueOf(unusable.getMessage()));
      }
    }
  }

  private static JsonOut write(JsonOut out, KeyFile.Entry key) {
    return out.put("id", key.id())
        .putTime("madeAt", key.madeAt().toEpochMilli())
        .put("current", key.current());
  }

  private static CommandOutput output(KeyFile.Entry key, String text, String advice) {
    return CommandOutput.of(
        () -> write(new JsonOut().beginObject(), key).endObject(),
        () -> Text.of(text + key.id() + "\n" + advice));
  }

  /** The {@code key create} command. */
  @Command(
      name = "create",
      description = "Create a key file with a first key, readable only by its owner.",
      footer = "  holdfast key create --keys holdfast.keys")
  static final class Create implements Callable<Integer> {
    @Mixin private Options options;

    @Override
    public Integer call() {
      return options.run(
          file ->
              output(
                  KeyFile.create(file, Instant.now()),
                  "created the key file " + file + " with the key ",
                  "Back it up: without it, encrypted messages are lost.\n"
                      + "Start the broker with: holdfast serve --keys "
                      + file));
    }
  }

  /** The {@code key rotate} command. */
  @Command(
      name = "rotate",
      description = "Add a key that encrypts new messages; older keys still decrypt.",
      footer = "  holdfast key rotate --keys holdfast.keys")
  static final class Rotate implements Callable<Integer> {
    @Mixin private Options options;

    @Override
    public Integer call() {
      return options.run(
          file ->
              output(
                  KeyFile.rotate(file, Instant.now()),
                  "the current key of " + file + " is ",
                  "Back the file up, then restart the broker."));
    }
  }

  /** The {@code key list} command. */
  @Command(
      name = "list",
      description = "List the ids of the keys in a file, oldest first.",
      footer = "  holdfast key list --keys holdfast.keys")
  static final class Show implements Callable<Integer> {
    @Mixin private Options options;

    @Override
    public Integer call() {
      return options.run(
          file -> {
            List<KeyFile.Entry> keys = KeyFile.list(file);
            return CommandOutput.of(
                () ->
                    CommandOutput.array(
                            new JsonOut().beginObject(),
                            "keys",
                            keys,
                            (out, key) -> write(out.beginObject(), key).endObject())
                        .endObject(),
                () -> new Text().table(table(keys)));
          });
    }

    private static TextTable table(List<KeyFile.Entry> keys) {
      TextTable table = new TextTable("KEY", "CREATED", "CURRENT");
      for (KeyFile.Entry key : keys) {
        table.row(key.id(), key.madeAt(), key.current() ? "yes" : null);
      }
      return table;
    }
  }
}
