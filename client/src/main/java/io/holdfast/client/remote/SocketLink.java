package io.holdfast.client.remote;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A TCP connection in non-blocking mode, with a selector to wait for it.
 *
 * <p>In this mode an interrupt ends {@link #await} and nothing else. In blocking mode, and for a
 * virtual thread on any socket, it would close the connection.
 *
 * <p>Thread: one reads, one writes and one awaits at a time; {@link #wakeUp} and {@link #close}
 * any.
 */
final class SocketLink implements Link {
  private static final int HTTPS_PORT = 443;
  private static final int HTTP_PORT = 80;

  private final SocketChannel channel;
  private final Selector selector;
  private final SelectionKey key;

  private SocketLink(SocketChannel channel) throws IOException {
    this.channel = channel;
    channel.configureBlocking(false);
    this.selector = Selector.open();
    this.key = channel.register(selector, SelectionKey.OP_READ);
  }

  static SocketLink open(URI address, Duration timeout) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.socket().setTcpNoDelay(true);
      int most = Math.toIntExact(Math.min(Integer.MAX_VALUE, timeout.toMillis()));
      channel.socket().connect(new InetSocketAddress(address.getHost(), portOf(address)), most);
      return new SocketLink(channel);
    } catch (IOException | RuntimeException failed) {
      channel.close();
      throw failed;
    }
  }

  static int portOf(URI address) {
    if (address.getPort() >= 0) {
      return address.getPort();
    }
    return address.getScheme().equals("https") ? HTTPS_PORT : HTTP_PORT;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    return channel.read(into);
  }

  @Override
  public boolean write(ByteBuffer from) throws IOException {
    channel.write(from);
    return !from.hasRemaining();
  }

  @Override
  public void await(boolean alsoWritable, long deadlineNanos) throws IOException {
    int wanted = alsoWritable ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
    try {
      if (key.interestOps() != wanted) {
        key.interestOps(wanted);
      }
      long left = deadlineNanos - System.nanoTime();
      if (left > 0) {
        // Rounded up: 0 would mean for ever.
        selector.select(ready -> {}, TimeUnit.NANOSECONDS.toMillis(left) + 1);
      }
    } catch (ClosedSelectorException | java.nio.channels.CancelledKeyException closed) {
      throw new IOException("the connection was closed", closed);
    }
  }

  @Override
  public void wakeUp() {
    selector.wakeup();
  }

  @Override
  public void close() {
    try {
      channel.close();
      selector.close();
    } catch (IOException ignored) {
      // The connection is closed all the same.
    }
  }

  /** Awaits data on a connection that is being set up. */
  static void awaitUntil(Link link, boolean alsoWritable, long deadlineNanos) throws IOException {
    if (deadlineNanos - System.nanoTime() <= 0) {
      throw new SocketTimeoutException("the server did not answer in time");
    }
    link.await(alsoWritable, deadlineNanos);
  }
}
