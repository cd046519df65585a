package io.holdfast.cli;

import io.holdfast.cli.output.ExitCodes;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code completion} command. */
@Command(
    name = "completion",
    description = {
      "Print a script that completes the commands and options in bash or zsh.",
      "To enable it, add the line of your shell to ~/.bashrc or ~/.zshrc."
    },
    footer = {"  source <(holdfast completion bash)", "  source <(holdfast completion zsh)"})
final class CompletionCommand implements Callable<Integer> {
  /** The supported shells. */
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
    String script =
        AutoComplete.bash(
            "holdfast", Main.commandLine(((Main) spec.root().userObject()).terminal()));
    spec.commandLine().getOut().print(shell == Shell.ZSH ? FOR_ZSH + script : script);
    spec.commandLine().getOut().flush();
    return ExitCodes.DONE;
  }
}
