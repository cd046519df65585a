package io.holdfast.server.http;

import io.helidon.webserver.CloseConnectionException;
import java.io.OutputStream;
import java.util.function.Supplier;

/**
 * Where the body of an answer is written piece by piece.
 *
 * <p>A write waits for a client that is slow, but not for ever: one that takes nothing for as long
 * as a client may pause within a request is hung up on. Every method throws when the client is
 * gone.
 *
 * <p>Thread: that of the call.
 */
public final class Outlet {
  private final OutputStream out;
  private final Peer peer;
  private final Pass pass;

  Outlet(OutputStream out, Peer peer, Pass pass) {
    this.out = out;
    this.peer = peer;
    this.pass = pass;
  }

  /** Writes more of it; throws also when the caller would not be let in any more. */
  public void write(byte[] bytes) {
    if (!pass.isGood()) {
      throw new CloseConnectionException("what let the caller in has ended");
    }
    peer.sending(() -> out.write(bytes));
  }

  /** Sends what has been written so far. */
  public void flush() {
    peer.sending(out::flush);
  }

  /** Waits for something in a way that an interrupt ends; it is interrupted if the client goes. */
  public <T> T await(Supplier<T> wait) {
    T found = peer.watching(pass, wait);
    if (peer.isGone()) {
      throw new CloseConnectionException("the client is gone");
    }
    return found;
  }

  /** The body is whole. */
  void end() {
    peer.sending(out::close);
  }
}
