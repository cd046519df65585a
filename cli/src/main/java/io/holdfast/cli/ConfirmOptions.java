package io.holdfast.cli;

import io.holdfast.cli.terminal.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The option of commands that destroy something: they ask first. */
final class ConfirmOptions {
  private static final int ANSWER_CHARS_MAX = 16;

  @Option(
      names = {"-y", "--yes"},
      description = "Do it without asking.")
  private boolean yes;

  /** An act that needs somebody's consent. */
  interface Act {
    int run();
  }

  /** Says what will happen, and does it if that is wanted. */
  int unlessRefused(RemoteOptions remote, String whatWillHappen, Act act) {
    if (yes) {
      return act.run();
    }
    Terminal terminal = remote.terminal();
    if (!terminal.isKeyboard()) {
      remote.fail("expected --yes, as there is nobody to ask: " + whatWillHappen);
      return Exit.USAGE;
    }
    remote.err().print(Sentence.of(whatWillHappen) + " Go on? [y/N] ");
    remote.err().flush();
    String answer = answer(terminal.in()).toLowerCase(Locale.ROOT);
    if (answer.equals("y") || answer.equals("yes")) {
      return act.run();
    }
    return remote.fail("nothing was changed");
  }

  private static String answer(InputStream in) {
    StringBuilder line = new StringBuilder();
    try {
      for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
        if (line.length() < ANSWER_CHARS_MAX) {
          line.append((char) c);
        }
      }
    } catch (IOException closed) {
      return "";
    }
    return line.toString().strip();
  }
}
