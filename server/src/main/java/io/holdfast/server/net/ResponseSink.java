package io.holdfast.server.net;

import io.holdfast.server.http.Outlet;
import io.holdfast.server.http.Pass;
import io.holdfast.server.http.Peer;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.DefaultHttpContent;
import java.io.ByteArrayOutputStream;
import java.util.function.Supplier;

/**
 * Writes the body of an answer to a connection, and waits while the client does not read it.
 *
 * <p>Thread: that of the call writes; the event loop tells that there is room again.
 */
final class ResponseSink implements Outlet {
  /** The body is written in pieces of at most this size. */
  static final int PIECE_BYTES = 64 * 1024;

  /** Smaller writes are gathered. */
  private static final int BUFFER_BYTES = 8 * 1024;

  private final Channel channel;
  private final Peer peer;
  private final Pass pass;
  private final ByteArrayOutputStream unsent = new ByteArrayOutputStream();

  ResponseSink(Channel channel, Peer peer, Pass pass) {
    this.channel = channel;
    this.peer = peer;
    this.pass = pass;
  }

  @Override
  public void write(byte[] bytes) {
    if (!pass.isGood()) {
      throw new GoneException("the caller is not let in any more");
    }
    unsent.writeBytes(bytes);
    if (unsent.size() >= BUFFER_BYTES) {
      send();
    }
  }

  @Override
  public void flush() {
    send();
    channel.flush();
  }

  @Override
  public <T> T await(Supplier<T> wait) {
    T found = peer.watching(pass, wait);
    if (peer.isGone()) {
      throw gone();
    }
    return found;
  }

  private void send() {
    byte[] bytes = unsent.toByteArray();
    unsent.reset();
    awaitRoom();
    for (int at = 0; at < bytes.length; at += PIECE_BYTES) {
      awaitRoom();
      int length = Math.min(PIECE_BYTES, bytes.length - at);
      var _ =
          channel.write(
              new DefaultHttpContent(Unpooled.wrappedBuffer(bytes, at, length)),
              channel.voidPromise());
    }
  }

  private synchronized void awaitRoom() {
    if (!channel.isWritable()) {
      channel.flush();
    }
    while (channel.isActive() && !channel.isWritable()) {
      try {
        wait();
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        throw gone();
      }
    }
    if (!channel.isActive()) {
      throw gone();
    }
  }

  /** There may be room again, or the connection is closed. */
  synchronized void changed() {
    notifyAll();
  }

  private static GoneException gone() {
    return new GoneException("the client is gone");
  }
}
