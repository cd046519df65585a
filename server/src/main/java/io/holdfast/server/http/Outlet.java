package io.holdfast.server.http;

import java.util.function.Supplier;

/**
 * Where the body of an answer is written piece by piece.
 *
 * <p>A write waits for a client that is slow, but not for ever: one that takes nothing for as long
 * as an answer may stand still is hung up on. Every method throws {@link GoneException} when the
 * client is gone.
 *
 * <p>Thread: that of the call.
 */
public final class Outlet {
  /** The bytes of a connection. */
  public interface Sink {
    /** Writes bytes, and waits while too many are not sent yet. */
    void write(byte[] bytes);

    /** Sends what was written. */
    void flush();
  }

  /** The client has gone, so that there is no use in writing more. */
  public static final class GoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public GoneException(String message) {
      super(message, null, false, false);
    }
  }

  private final Sink sink;
  private final Peer peer;
  private final Pass pass;

  Outlet(Sink sink, Peer peer, Pass pass) {
    this.sink = sink;
    this.peer = peer;
    this.pass = pass;
  }

  /** Writes more of it; throws also when the caller would not be let in any more. */
  public void write(byte[] bytes) {
    if (!pass.isGood()) {
      throw new GoneException("the caller is not let in any more");
    }
    sink.write(bytes);
  }

  /** Sends what has been written so far. */
  public void flush() {
    sink.flush();
  }

  /** Waits for something in a way that an interrupt ends; it is interrupted if the client goes. */
  public <T> T await(Supplier<T> wait) {
    T found = peer.watching(pass, wait);
    if (peer.isGone()) {
      throw new GoneException("the client is gone");
    }
    return found;
  }
}
