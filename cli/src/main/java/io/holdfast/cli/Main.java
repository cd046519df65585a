package io.holdfast.cli;

import io.holdfast.cli.terminal.ProcessTerminal;
import io.holdfast.cli.terminal.Terminal;
import java.io.BufferedWriter;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code holdfast} command: the one entry point, whose subcommands do the work. */
@Command(
    name = "holdfast",
    description = "A durable message queue, task broker and workflow engine.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    synopsisSubcommandLabel = "<command>",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:refused, not there, or nothing found where something was wanted",
      "2:wrong usage",
      "3:no server answers"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast serve                           a broker on this machine",
      "  holdfast push orders '{\"sum\":12}'        a message into the queue orders",
      "  holdfast pop orders --auto-ack           and out again",
      "  holdfast top                             what goes on",
      "  holdfast push --help                     all about one command"
    })
public final class Main implements Runnable {
  private static final int HELP_COLUMNS = 100;

  @Spec private CommandSpec spec;

  private final Terminal terminal;

  Main(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Runs the command line and exits with its status. */
  public static void main(String[] args) {
    System.exit(commandLine(new ProcessTerminal(), args).execute(args));
  }

  /** The command line with every command. */
  static CommandLine commandLine() {
    return commandLine(new ProcessTerminal());
  }

  /**
   * The command line.
   *
   * @param arguments what it will be given: if they name a command, the others are left out, which
   *     saves the time to look at them
   */
  static CommandLine commandLine(Terminal terminal, String... arguments) {
    CommandLine main = new CommandLine(new Main(terminal));
    Commands.add(main, arguments);
    return main.setCaseInsensitiveEnumValuesAllowed(true)
        // A payload may be the name of a file behind an @.
        .setExpandAtFiles(false)
        .setUsageHelpWidth(HELP_COLUMNS)
        .setColorScheme(
            CommandLine.Help.defaultColorScheme(terminal.hasColours() ? Ansi.ON : Ansi.OFF))
        .setParameterExceptionHandler(new Mistakes())
        .setExecutionExceptionHandler(new Defects())
        .setOut(
            new PrintWriter(
                new BufferedWriter(
                    new OutputStreamWriter(terminal.out(), StandardCharsets.UTF_8))));
  }

  /** What stands around a command. */
  static Terminal terminal(CommandSpec command) {
    // The spec of a mixin has no parent, but knows the command line it is part of.
    Object root = command.commandLine().getCommandSpec().root().userObject();
    return root instanceof Main main ? main.terminal : new ProcessTerminal();
  }

  /** Shows the help of a command that only has subcommands. */
  static void help(CommandSpec command) {
    CommandLine commandLine = command.commandLine();
    commandLine.usage(commandLine.getOut());
    commandLine.getOut().flush();
  }

  @Override
  public void run() {
    help(spec);
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
