package io.holdfast.cli.output;

import io.holdfast.cli.terminal.Terminal;

/** The top-level command, which has the terminal of all its subcommands. */
public interface TerminalOwner {
  Terminal terminal();
}
