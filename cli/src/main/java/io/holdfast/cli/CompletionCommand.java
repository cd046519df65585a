package io.holdfast.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code completion} command. */
@Command(
    name = "completion",
    description = "Prints what makes a shell complete the commands and options of holdfast.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nTo install it, add the line of your shell to its ~/.bashrc or ~/.zshrc:%n",
    footer = {"  source <(holdfast completion bash)", "  source <(holdfast completion zsh)"})
final class CompletionCommand implements Callable<Integer> {
  /** Shells that can complete. */
  enum Shell {
    BASH,
    ZSH
  }

  private static final String FOR_ZSH =
      """
      autoload -U +X compinit && compinit
      autoload -U +X bashcompinit && bashcompinit
      """;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "<shell>", description = "bash or zsh.")
  private Shell shell;

  @Override
  public Integer call() {
    String script = AutoComplete.bash("holdfast", Main.commandLine(Main.terminal(spec)));
    spec.commandLine().getOut().print(shell == Shell.ZSH ? FOR_ZSH + script : script);
    spec.commandLine().getOut().flush();
    return Exit.DONE;
  }
}
