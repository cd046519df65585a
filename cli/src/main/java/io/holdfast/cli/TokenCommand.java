package io.holdfast.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code token} command: makes, lists and revokes what callers must show. */
@Command(
    name = "token",
    description = {
      "Makes, lists and revokes the tokens of a server, in the file it reads them from.",
      "A running server takes over a change within a second.",
      "Exits with 0 if all is well, 1 if something is refused or not there, 2 for wrong usage."
    },
    mixinStandardHelpOptions = true,
    subcommands = {TokenCreateCommand.class, TokenListCommand.class, TokenRevokeCommand.class})
final class TokenCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    CommandLine commandLine = spec.commandLine();
    commandLine.usage(commandLine.getOut());
  }
}
