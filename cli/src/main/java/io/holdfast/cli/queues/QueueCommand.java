package io.holdfast.cli.queues;

import io.holdfast.cli.options.CommandGroup;
import picocli.CommandLine.Command;

/** The {@code queue} command. */
@Command(
    name = "queue",
    description = "Show, create, configure, pause, purge or delete a queue.",
    subcommands = {
      QueueShowCommand.class,
      QueueConfigureCommands.Create.class,
      QueueConfigureCommands.Configure.class,
      QueueStateCommands.Pause.class,
      QueueStateCommands.Resume.class,
      QueueStateCommands.Purge.class,
      QueueStateCommands.Delete.class
    },
    footer = {
      "  holdfast queue show orders",
      "  holdfast queue create orders delivery=shared leaseTime=60s",
      "  holdfast queue purge orders"
    })
public final class QueueCommand extends CommandGroup {}
