package io.holdfast.cli.options;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that has only subcommands: by itself it prints its help. */
public abstract class CommandGroup implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public final void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
    spec.commandLine().getOut().flush();
  }
}
