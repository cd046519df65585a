package io.holdfast.cli.options;

import io.holdfast.cli.output.ErrorText;
import io.holdfast.cli.output.ExitCodes;
import io.holdfast.cli.output.OutputOptions;
import io.holdfast.cli.terminal.Terminal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.IntSupplier;
import picocli.CommandLine.Option;

/** The option {@code --yes} of commands that destroy data: without it they ask for confirmation. */
public final class ConfirmOptions {
  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask for confirmation.")
  private boolean yes;

  /** Runs an action that destroys data, after confirmation; returns the exit code. */
  public int confirm(OutputOptions output, String effect, IntSupplier action) {
    if (yes) {
      return action.getAsInt();
    }
    Terminal terminal = output.terminal();
    if (!terminal.isKeyboard()) {
      return output.fail(ExitCodes.USAGE, "expected --yes, as the input is no terminal: " + effect);
    }
    output.err().print(ErrorText.of(effect) + " Continue? [y/N] ");
    output.err().flush();
    String answer = answer(terminal.in()).toLowerCase(Locale.ROOT);
    return answer.equals("y") || answer.equals("yes")
        ? action.getAsInt()
        : output.fail("nothing was changed");
  }

  private static String answer(InputStream in) {
    try {
      String line =
          new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readLine();
      return line == null ? "" : line.strip();
    } catch (IOException closed) {
      return "";
    }
  }
}
