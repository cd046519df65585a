package io.holdfast.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code dlq} command: looks after dead letters. */
@Command(
    name = "dlq",
    description = "Lists, requeues or removes dead letters: messages out of attempts.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "<command>",
    subcommands = {
      DlqListCommand.class,
      DlqChangeCommands.Requeue.class,
      DlqChangeCommands.Remove.class,
      DlqChangeCommands.Clear.class
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast dlq list",
      "  holdfast dlq list orders --error timeout",
      "  holdfast dlq requeue orders --error timeout --dry-run"
    })
final class DlqCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    Main.help(spec);
  }
}
