package io.holdfast.cli;

import io.holdfast.cli.terminal.Printable;
import java.io.PrintWriter;

/**
 * A line that says how far a long command is, overwritten as it goes on; only for people.
 *
 * <p>It is on the error stream, so that the output stays clean.
 */
final class Progress {
  private static final long FIRST_NANOS = 500_000_000L;
  private static final String ERASE = "\r\u001b[K";

  private final PrintWriter err;
  private final boolean wanted;
  private final long startNanos = System.nanoTime();
  private boolean shown;

  Progress(RemoteOptions remote) {
    this.err = remote.err();
    this.wanted = remote.terminal().isErrorScreen();
  }

  /** Says how far it is, unless it began only now. */
  void show(String words) {
    if (wanted && (shown || System.nanoTime() - startNanos > FIRST_NANOS)) {
      err.print(ERASE + Printable.of(words));
      err.flush();
      shown = true;
    }
  }

  /** Takes the line away. */
  void end() {
    if (shown) {
      err.print(ERASE);
      err.flush();
      shown = false;
    }
  }
}
