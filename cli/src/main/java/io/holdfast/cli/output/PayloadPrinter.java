package io.holdfast.cli.output;

import java.io.IOException;
import java.io.OutputStream;

/** Prints payloads, each on a line: unchanged, but escaped on a terminal. */
public final class PayloadPrinter {
  private final OutputOptions output;

  public PayloadPrinter(OutputOptions output) {
    this.output = output;
  }

  public void print(byte[] payload) {
    if (output.terminal().isScreen()) {
      output.out().println(PayloadText.line(payload));
      output.out().flush();
      return;
    }
    output.out().flush();
    OutputStream out = output.terminal().out();
    try {
      out.write(payload);
      out.write('\n');
      out.flush();
    } catch (IOException gone) {
      // The reader closed the pipe; checkError() of the writer reports it.
      output.out().println();
    }
  }
}
