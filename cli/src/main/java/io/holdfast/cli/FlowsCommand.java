package io.holdfast.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code flows} command: looks after the flows of a server. */
@Command(
    name = "flows",
    description = "Looks after the flows of a server.",
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
    },
    synopsisSubcommandLabel = "<command>",
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast flows list --status failed",
      "  holdfast flows show o-17",
      "  holdfast flows raise o-17 paid"
    })
final class FlowsCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    Main.help(spec);
  }
}
