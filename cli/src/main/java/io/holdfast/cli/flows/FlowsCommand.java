package io.holdfast.cli.flows;

import io.holdfast.cli.options.CommandGroup;
import picocli.CommandLine.Command;

/** The {@code flows} command. */
@Command(
    name = "flows",
    description = "Start, inspect, control and delete durable flows.",
    subcommands = {
      FlowsListCommand.class,
      FlowsShowCommand.class,
      FlowsHistoryCommand.class,
      FlowControlCommands.Start.class,
      FlowControlCommands.Raise.class,
      FlowControlCommands.Cancel.class,
      FlowControlCommands.Terminate.class,
      FlowControlCommands.Suspend.class,
      FlowControlCommands.Resume.class,
      FlowControlCommands.Retry.class,
      FlowsDeleteCommand.class,
      FlowsPurgeCommand.class,
      FlowsVerifyCommand.class
    },
    footer = {
      "  holdfast flows list --status failed",
      "  holdfast flows show o-17",
      "  holdfast flows raise o-17 paid"
    })
public final class FlowsCommand extends CommandGroup {}
