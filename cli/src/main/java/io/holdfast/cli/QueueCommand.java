package io.holdfast.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code queue} command: looks after one queue. */
@Command(
    name = "queue",
    description = "Shows, makes, changes, pauses, empties or deletes one queue.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "<command>",
    subcommands = {
      QueueShowCommand.class,
      QueueOptionCommands.Create.class,
      QueueOptionCommands.Configure.class,
      QueueStateCommands.Pause.class,
      QueueStateCommands.Resume.class,
      QueueStateCommands.Purge.class,
      QueueStateCommands.Delete.class
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast queue show orders",
      "  holdfast queue create orders delivery=shared leaseTime=60s",
      "  holdfast queue purge orders"
    })
final class QueueCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    Main.help(spec);
  }
}
