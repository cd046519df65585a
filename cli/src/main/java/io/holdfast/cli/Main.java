package io.holdfast.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code holdfast} command: the one entry point, whose subcommands do the work. */
@Command(
    name = "holdfast",
    description = "A durable message queue.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    subcommands = {
      ServeCommand.class,
      FlowsCommand.class,
      TokenCommand.class,
      KeyCommand.class,
      CheckpointCommand.class,
      VerifyCommand.class,
      BenchCommand.class
    })
public final class Main implements Runnable {

  @Spec private CommandSpec spec;

  /** Runs the command line and exits with its status. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main()).setCaseInsensitiveEnumValuesAllowed(true);
  }

  @Override
  public void run() {
    CommandLine commandLine = spec.commandLine();
    commandLine.usage(commandLine.getOut());
  }

  /** The version stated in the manifest of the jar that holds this class. */
  static final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {
        "holdfast " + (version == null ? "(not packaged)" : version), "Java " + Runtime.version()
      };
    }
  }
}
