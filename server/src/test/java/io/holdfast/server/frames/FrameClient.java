package io.holdfast.server.frames;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.Refusal;
import io.holdfast.api.wire.Frames;
import io.holdfast.api.wire.Verb;
import io.holdfast.api.wire.Verbs;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/** A client of a test that writes and reads frames by itself, as docs/wire.md describes them. */
final class FrameClient implements AutoCloseable {
  private static final int TIMEOUT_MS = 20_000;

  /** A frame of the server. */
  record Reply(int kind, int id, byte[] body) {
    <O> O answer(Verb<?, O> verb) {
      assertThat(kind).as(toString()).isEqualTo(Frames.ANSWERED);
      return verb.answer(body);
    }

    Refusal refusal() {
      assertThat(kind).as(toString()).isEqualTo(Frames.REFUSED);
      return Verbs.refusal(body);
    }

    int problemStatus() {
      assertThat(kind).as(toString()).isEqualTo(Frames.PROBLEM);
      return ((body[0] & 0xFF) << 8) | (body[1] & 0xFF);
    }

    String problem() {
      return new String(body, 2, body.length - 2, UTF_8);
    }

    @Override
    public String toString() {
      return "kind " + kind + ", id " + id + ", body " + new String(body, UTF_8);
    }
  }

  private final Socket socket;
  private final OutputStream out;
  private final DataInputStream in;
  final String head;

  private FrameClient(Socket socket, @Nullable String token) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(TIMEOUT_MS);
    socket.setTcpNoDelay(true);
    out = socket.getOutputStream();
    in = new DataInputStream(socket.getInputStream());
    out.write(
        ("GET "
                + Frames.PATH
                + " HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: "
                + Frames.PROTOCOL
                + (token == null ? "" : "\r\nAuthorization: Bearer " + token)
                + "\r\n\r\n")
            .getBytes(ISO_8859_1));
    head = readHead(socket.getInputStream());
  }

  static FrameClient connect(int port, @Nullable String token) {
    try {
      return new FrameClient(new Socket(InetAddress.getLoopbackAddress(), port), token);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  static FrameClient connect(int port) {
    FrameClient client = connect(port, null);
    assertThat(client.head).startsWith("HTTP/1.1 101 ");
    return client;
  }

  private static String readHead(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("no answer to the upgrade");
      }
      head.write(next);
    }
    return head.toString(ISO_8859_1);
  }

  <I> void send(Verb<I, ?> verb, int id, I request) {
    byte[] frame = Frames.request(verb, request);
    Frames.setId(frame, id);
    send(frame);
  }

  void send(byte[] bytes) {
    try {
      out.write(bytes);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  Reply read() {
    try {
      int length = in.readInt();
      int kind = in.readUnsignedByte();
      int id = in.readInt();
      byte[] body = new byte[length - Frames.HEAD_BYTES];
      in.readFully(body);
      return new Reply(kind, id, body);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Whether the server closes the connection; all that it sends before is dropped. */
  boolean isClosedByServer() {
    try {
      while (in.read() >= 0) {
        // Until the end.
      }
      return true;
    } catch (SocketException reset) {
      return true;
    } catch (IOException open) {
      return false;
    }
  }

  /** Sends no more, but goes on reading. */
  void endOutput() {
    try {
      socket.shutdownOutput();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
