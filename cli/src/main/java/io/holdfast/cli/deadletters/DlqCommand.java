package io.holdfast.cli.deadletters;

import io.holdfast.cli.options.CommandGroup;
import picocli.CommandLine.Command;

/** The {@code dlq} command. */
@Command(
    name = "dlq",
    description = "List, requeue or remove dead letters: messages that exhausted their retries.",
    subcommands = {
      DlqListCommand.class,
      DlqChangeCommands.Requeue.class,
      DlqChangeCommands.Remove.class,
      DlqChangeCommands.Clear.class
    },
    footer = {
      "  holdfast dlq list",
      "  holdfast dlq list orders --error timeout",
      "  holdfast dlq requeue orders --error timeout --dry-run"
    })
public final class DlqCommand extends CommandGroup {}
