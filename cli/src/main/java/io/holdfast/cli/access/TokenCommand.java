package io.holdfast.cli.access;

import io.holdfast.cli.options.CommandGroup;
import picocli.CommandLine.Command;

/** The {@code token} command. */
@Command(
    name = "token",
    description = {
      "Create, list or revoke access tokens in the token file of a server.",
      "A running server applies a change within a second."
    },
    footer = {"  holdfast token create --role admin"},
    subcommands = {TokenCreateCommand.class, TokenListCommand.class, TokenRevokeCommand.class})
public final class TokenCommand extends CommandGroup {}
