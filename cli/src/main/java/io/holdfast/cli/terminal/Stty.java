package io.holdfast.cli.terminal;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The program {@code stty}, which reads and changes the mode of a terminal. */
final class Stty {
  private static final File TERMINAL = new File("/dev/tty");
  private static final int PATIENCE_S = 5;

  private Stty() {}

  /** Runs it on the terminal of this process; returns its output, null if it failed. */
  static @Nullable String run(String... arguments) {
    List<String> command = new ArrayList<>(List.of("stty"));
    command.addAll(List.of(arguments));
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectInput(TERMINAL)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String printed =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
      return process.waitFor(PATIENCE_S, TimeUnit.SECONDS) && process.exitValue() == 0
          ? printed
          : null;
    } catch (IOException noTerminal) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
