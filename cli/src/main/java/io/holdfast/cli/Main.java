package io.holdfast.cli;

import io.holdfast.cli.options.CommandGroup;
import io.holdfast.cli.output.TerminalOwner;
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

/** The {@code holdfast} command, which has all other commands as subcommands. */
@Command(
    name = "holdfast",
    description = "A durable message queue, task broker and workflow engine.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:success",
      "1:refused, not found, or no result where one was required, such as by 'pop'",
      "2:invalid arguments",
      "3:the server is unreachable"
    },
    footer = {
      "  holdfast serve                           start a broker",
      "  holdfast push orders '{\"sum\":12}'        push a message",
      "  holdfast pop orders --auto-ack           take a message",
      "  holdfast top                             show rates and queues",
      "  holdfast push --help                     show the options of a command"
    })
public final class Main extends CommandGroup implements TerminalOwner {
  private static final int HELP_COLUMNS = 100;

  private final Terminal terminal;

  Main(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Runs the command line and exits with its status. */
  public static void main(String[] args) {
    System.exit(commandLine(new ProcessTerminal(), args).execute(args));
  }

  /** The command line with all commands. */
  public static CommandLine commandLine() {
    return commandLine(new ProcessTerminal());
  }

  /**
   * The command line.
   *
   * @param arguments the arguments it will get: if they name a command, the others are not loaded,
   *     which saves time
   */
  public static CommandLine commandLine(Terminal terminal, String... arguments) {
    CommandLine main = new CommandLine(new Main(terminal));
    Commands.add(main, arguments);
    return main.setCaseInsensitiveEnumValuesAllowed(true)
        // The payload of push may begin with an @.
        .setExpandAtFiles(false)
        .setUsageHelpWidth(HELP_COLUMNS)
        .setColorScheme(
            CommandLine.Help.defaultColorScheme(terminal.hasColours() ? Ansi.ON : Ansi.OFF))
        .setParameterExceptionHandler(new UsageErrorHandler())
        .setExecutionExceptionHandler(new UnexpectedErrorHandler())
        .setOut(
            new PrintWriter(
                new BufferedWriter(
                    new OutputStreamWriter(terminal.out(), StandardCharsets.UTF_8))));
  }

  @Override
  public Terminal terminal() {
    return terminal;
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
