package io.holdfast.server.http;

import java.util.function.Supplier;

/**
 * Where the body of an answer is written piece by piece.
 *
 * <p>A write waits for a client that is slow, but not for ever: one that takes nothing for as long
 * as an answer may stand still is hung up on. Every method throws {@link GoneException} when the
 * client is gone, or would not be let in any more.
 *
 * <p>Thread: that of the call.
 */
public interface Outlet {
  /** The client has gone, so that there is no use in writing more. */
  final class GoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public GoneException(String message) {
      super(message, null, false, false);
    }
  }

  /** Writes bytes, and waits while too many are not sent yet. */
  void write(byte[] bytes);

  /** Sends what has been written so far. */
  void flush();

  /** Waits for something in a way that an interrupt ends; it is interrupted if the client goes. */
  <T> T await(Supplier<T> wait);
}
