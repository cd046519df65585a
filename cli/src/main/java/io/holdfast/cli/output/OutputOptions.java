package io.holdfast.cli.output;

import io.holdfast.cli.terminal.ProcessTerminal;
import io.holdfast.cli.terminal.Terminal;
import io.holdfast.cli.terminal.Text;
import io.holdfast.json.JsonOut;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option {@code --json}, and the streams on which a command prints results and errors. */
public class OutputOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(names = "--json", description = "Print JSON instead of text.")
  private boolean json;

  public final boolean json() {
    return json;
  }

  protected final CommandLine commandLine() {
    return spec.commandLine();
  }

  public final Terminal terminal() {
    // The spec of a mixin has no parent, but its command line has.
    Object root = commandLine().getCommandSpec().root().userObject();
    return root instanceof TerminalOwner owner ? owner.terminal() : new ProcessTerminal();
  }

  public final PrintWriter out() {
    return commandLine().getOut();
  }

  public final PrintWriter err() {
    return commandLine().getErr();
  }

  /** Prints an error as one sentence; returns the exit code. */
  public final int fail(String error) {
    return fail(ExitCodes.REFUSED, error);
  }

  public final int fail(int exitCode, String error) {
    err().println(ErrorText.of(error));
    err().flush();
    return exitCode;
  }

  /** Prints a result in the requested format; returns its exit code. */
  public final int print(CommandOutput output) {
    print(rendered(output));
    return output.exit();
  }

  public final int print(JsonOut document) {
    return print(JsonLine.of(document.done()));
  }

  public final int print(Text text) {
    return print(rendered(text));
  }

  private int print(String rendered) {
    out().println(rendered);
    out().flush();
    return ExitCodes.DONE;
  }

  public final String rendered(CommandOutput output) {
    return json ? JsonLine.of(output.json().get().done()) : rendered(output.text().get());
  }

  public final String rendered(Text text) {
    return text.render(terminal().columns(), terminal().hasColours());
  }
}
