package io.holdfast.client.remote;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * One connection that stays open: HTTP/1.1, one request after the other, each in one write.
 *
 * <p>An interrupt of a thread that reads or writes closes it, and so does a write that takes too
 * long.
 *
 * <p>Thread: one at a time.
 */
final class Connection implements Closeable {
  private static final int HTTPS_PORT = 443;
  private static final int HTTP_PORT = 80;

  /** The send buffer also holds the kernel's own data, which takes up less than this part of it. */
  private static final int BUFFER_SHARE = 4;

  private final SocketChannel channel;
  private final Socket socket;
  private final boolean secure;
  private final OutputStream out;
  private final ReplyReader replies;

  /** A request of this size fits into the send buffer, which is empty then: it cannot block. */
  private final int unblockedBytes;

  private int timeoutMs = -1;

  private Connection(SocketChannel channel, Socket socket, InputStream in, OutputStream out)
      throws IOException {
    this.channel = channel;
    this.socket = socket;
    this.secure = socket instanceof SSLSocket;
    this.out = out;
    this.replies = new ReplyReader(in);
    this.unblockedBytes = channel.getOption(StandardSocketOptions.SO_SNDBUF) / BUFFER_SHARE;
  }

  /**
   * Opens one.
   *
   * @throws NotSentException if it cannot be opened
   */
  static Connection open(URI address, @Nullable SSLContext tls, Duration timeout)
      throws NotSentException {
    SocketChannel channel = null;
    try {
      channel = SocketChannel.open();
      Socket plain = channel.socket();
      plain.setTcpNoDelay(true);
      int most = Math.toIntExact(Math.min(Integer.MAX_VALUE, timeout.toMillis()));
      plain.connect(new InetSocketAddress(address.getHost(), portOf(address)), most);
      Socket socket =
          address.getScheme().equals("https") ? secured(plain, address, tls, most) : plain;
      return new Connection(channel, socket, socket.getInputStream(), socket.getOutputStream());
    } catch (IOException failed) {
      closeQuietly(channel, failed);
      throw new NotSentException(failed);
    }
  }

  private static int portOf(URI address) {
    if (address.getPort() >= 0) {
      return address.getPort();
    }
    return address.getScheme().equals("https") ? HTTPS_PORT : HTTP_PORT;
  }

  private static Socket secured(Socket plain, URI address, @Nullable SSLContext tls, int mostMs)
      throws IOException {
    SSLContext context = tls == null ? jvmContext() : tls;
    SSLSocket socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(plain, address.getHost(), portOf(address), true);
    SSLParameters parameters = socket.getSSLParameters();
    // Without this, any certificate of a known authority would do for any host.
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    socket.setSoTimeout(mostMs);
    socket.startHandshake();
    return socket;
  }

  private static SSLContext jvmContext() throws IOException {
    try {
      return SSLContext.getDefault();
    } catch (NoSuchAlgorithmException e) {
      throw new IOException("this JVM has no TLS", e);
    }
  }

  private static void closeQuietly(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException ignored) {
      // The channel is closed all the same.
    }
  }

  private static void closeQuietly(@Nullable SocketChannel channel, IOException because) {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        because.addSuppressed(e);
      }
    }
  }

  /**
   * Sends a request and waits for its answer.
   *
   * @param mostMs how long sending may take, and then how long each wait for bytes of the answer
   * @throws NotSentException if not all of it was sent
   * @throws IOException if there is no whole answer: it may have had its effect
   */
  Reply exchange(String head, byte[] body, long mostMs) throws IOException {
    byte[] first = head.getBytes(ISO_8859_1);
    byte[] whole = new byte[first.length + body.length];
    System.arraycopy(first, 0, whole, 0, first.length);
    System.arraycopy(body, 0, whole, first.length, body.length);
    try {
      waitAtMost(mostMs);
      if (whole.length <= unblockedBytes) {
        write(whole);
      } else {
        write(whole, mostMs);
      }
    } catch (IOException failed) {
      throw new NotSentException(failed);
    }
    return replies.read();
  }

  private void write(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  /** Writes within a time. Sockets have no timeout for that, but closing one ends a write. */
  private void write(byte[] bytes, long mostMs) throws IOException {
    CompletableFuture<@Nullable Void> written = new CompletableFuture<>();
    CompletableFuture<Boolean> isLate =
        written
            .orTimeout(mostMs, TimeUnit.MILLISECONDS)
            .handle(
                (done, late) -> {
                  if (late != null) {
                    closeQuietly(channel);
                  }
                  return late != null;
                });
    try {
      write(bytes);
    } catch (IOException failed) {
      written.complete(null);
      if (isLate.join()) {
        throw new IOException(
            "a request of " + bytes.length + " bytes could not be sent within " + mostMs + " ms",
            failed);
      }
      throw failed;
    } finally {
      written.complete(null);
    }
  }

  private void waitAtMost(long ms) throws IOException {
    int most = (int) Math.max(1, Math.min(Integer.MAX_VALUE, ms));
    if (most != timeoutMs) {
      socket.setSoTimeout(most);
      timeoutMs = most;
    }
  }

  /** Whether the server is seen to have closed its end, or sent what nobody asked for. */
  boolean isStale() {
    if (secure) {
      // What TLS sends of its own accord cannot be told from an end without reading it.
      return false;
    }
    try {
      channel.configureBlocking(false);
      int read = channel.read(ByteBuffer.allocate(1));
      channel.configureBlocking(true);
      return read != 0;
    } catch (IOException broken) {
      return true;
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      closeQuietly(channel, e);
    }
  }
}
