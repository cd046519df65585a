package io.holdfast.client.remote;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.holdfast.api.wire.Frames;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * Opens connections and has them upgraded from HTTP to frames.
 *
 * <p>Thread: any that nobody interrupts.
 */
final class FrameUpgrade {
  /** The answer of a server that does not upgrade. */
  static final class Refused extends IOException {
    private static final long serialVersionUID = 1L;

    final transient Reply reply;

    Refused(Reply reply) {
      super("the server did not upgrade the connection: " + reply.status());
      this.reply = reply;
    }

    /** Whether it knows frames, so that the same request would be refused over HTTP as well. */
    boolean isOfTheServer() {
      return switch (reply.status()) {
        case 401, 403, 429, 503 -> true;
        default -> false;
      };
    }
  }

  private final RemoteConfig config;
  private final URI address;
  private final byte[] request;

  FrameUpgrade(RemoteConfig config, URI address, String basePath) {
    this.config = config;
    this.address = address;
    String token = config.token();
    String head =
        "GET "
            + basePath
            + Frames.PATH
            + " HTTP/1.1\r\nHost: "
            + address.getRawAuthority()
            + "\r\nConnection: Upgrade\r\nUpgrade: "
            + Frames.PROTOCOL
            + (token == null ? "" : "\r\nAuthorization: Bearer " + token)
            + "\r\n\r\n";
    this.request = head.getBytes(ISO_8859_1);
  }

  /**
   * Opens a connection.
   *
   * @param onClosing runs when the server announces its end
   * @throws Refused if the server does not upgrade it
   * @throws NotSentException if it cannot be opened
   */
  FrameConnection open(Runnable onClosing) throws IOException {
    Link link = null;
    try {
      link = SocketLink.open(address, config.connectTimeout());
      if (address.getScheme().equals("https")) {
        link = TlsLink.over(link, address, config.tls(), after(config.connectTimeout()));
      }
      return upgrade(link, onClosing);
    } catch (Refused refused) {
      close(link);
      throw refused;
    } catch (IOException failed) {
      close(link);
      throw new NotSentException(failed);
    }
  }

  private static long after(Duration time) {
    return System.nanoTime() + time.toNanos();
  }

  private static void close(@org.jspecify.annotations.Nullable Link link) {
    if (link != null) {
      link.close();
    }
  }

  private FrameConnection upgrade(Link link, Runnable onClosing) throws IOException {
    long answerMs = config.answerTimeout().toMillis();
    long deadlineNanos = after(config.answerTimeout());
    ReplyReader replies = new ReplyReader(new Incoming(link, deadlineNanos));
    Reply reply;
    try {
      ByteBuffer out = ByteBuffer.wrap(request);
      while (!link.write(out)) {
        SocketLink.awaitUntil(link, true, deadlineNanos);
      }
      reply = replies.read();
    } catch (SocketTimeoutException late) {
      throw new IOException("the server did not answer within " + answerMs + " ms", late);
    }
    if (reply.status() != ReplyReader.SWITCHING_PROTOCOLS) {
      throw new Refused(reply);
    }
    FrameConnection connection =
        new FrameConnection(
            link, "holdfast-frames-" + address.getRawAuthority(), answerMs, onClosing);
    connection.receive(replies.rest());
    return connection;
  }

  /** The bytes of a link as a stream, until a deadline. */
  private static final class Incoming extends InputStream {
    private final Link link;
    private final long deadlineNanos;

    Incoming(Link link, long deadlineNanos) {
      this.link = link;
      this.deadlineNanos = deadlineNanos;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int from, int count) throws IOException {
      ByteBuffer buffer = ByteBuffer.wrap(into, from, count);
      int read = link.read(buffer);
      while (read == 0 && count > 0) {
        SocketLink.awaitUntil(link, false, deadlineNanos);
        read = link.read(buffer);
      }
      return read;
    }
  }
}
