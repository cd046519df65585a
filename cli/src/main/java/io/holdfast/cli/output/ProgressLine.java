package io.holdfast.cli.output;

import io.holdfast.cli.terminal.Printable;
import java.io.PrintWriter;

/** The progress of a long command, in one line on the error stream; only on a terminal. */
public final class ProgressLine {
  private static final long FIRST_NANOS = 500_000_000L;
  private static final String ERASE = "\r\u001b[K";

  private final PrintWriter err;
  private final boolean wanted;
  private final long startNanos = System.nanoTime();
  private boolean shown;

  public ProgressLine(OutputOptions output) {
    this.err = output.err();
    this.wanted = output.terminal().isErrorScreen();
  }

  /** Replaces the line, except in the first half second. */
  public void show(String words) {
    if (wanted && (shown || System.nanoTime() - startNanos > FIRST_NANOS)) {
      err.print(ERASE + Printable.of(words));
      err.flush();
      shown = true;
    }
  }

  /** Erases the line. */
  public void end() {
    if (shown) {
      err.print(ERASE);
      err.flush();
      shown = false;
    }
  }
}
