package io.holdfast.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code flows} command: looks after the flows of a server. */
@Command(
    name = "flows",
    description = {
      "Looks after the flows of a server.",
      "Exits with 0 if all is well, 1 if something is refused or not there, 2 for wrong usage."
    },
    mixinStandardHelpOptions = true,
    subcommands = {
      FlowsListCommand.class,
      FlowsShowCommand.class,
      FlowsHistoryCommand.class,
      FlowsTellCommands.Start.class,
      FlowsTellCommands.Raise.class,
      FlowsTellCommands.Cancel.class,
      FlowsTellCommands.Terminate.class,
      FlowsTellCommands.Suspend.class,
      FlowsTellCommands.Resume.class,
      FlowsTellCommands.Retry.class,
      FlowsDeleteCommand.class,
      FlowsPurgeCommand.class,
      FlowsVerifyCommand.class
    })
final class FlowsCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    CommandLine commandLine = spec.commandLine();
    commandLine.usage(commandLine.getOut());
  }
}
