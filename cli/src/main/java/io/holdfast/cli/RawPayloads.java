package io.holdfast.cli;

import java.io.IOException;
import java.io.OutputStream;

/** Payloads and nothing else, each on a line: byte for byte, but safe to show on a terminal. */
final class RawPayloads {
  private final RemoteOptions remote;

  RawPayloads(RemoteOptions remote) {
    this.remote = remote;
  }

  void print(byte[] payload) {
    if (remote.terminal().isScreen()) {
      remote.out().println(Payloads.line(payload));
      remote.out().flush();
      return;
    }
    remote.out().flush();
    OutputStream out = remote.terminal().out();
    try {
      out.write(payload);
      out.write('\n');
      out.flush();
    } catch (IOException gone) {
      // Whoever read it has enough; the writer knows it the next time it is asked.
      remote.out().println();
    }
  }
}
