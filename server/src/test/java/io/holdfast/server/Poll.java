package io.holdfast.server;

import io.holdfast.testkit.WaitLimits;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A long poll over a connection of its own, which a test can let go at any moment. */
final class Poll implements AutoCloseable {
  /** A test that waits for longer has failed. */
  private static final int ANSWER_MS_MAX = WaitLimits.TEST_SECONDS * 1_000;

  private final Socket socket;
  private final StringBuilder unread = new StringBuilder();

  private Poll(Socket socket) {
    this.socket = socket;
  }

  /** Connects, and asks for nothing yet. */
  static Poll connect(int port) {
    try {
      return over(new Socket(InetAddress.getLoopbackAddress(), port));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Speaks over a connection that is there. */
  static Poll over(Socket socket) {
    Poll poll = new Poll(socket);
    poll.patient();
    return poll;
  }

  /** Connects with hardly any room for what nobody reads. */
  static Poll connectNarrow(int port) {
    try {
      Socket socket = new Socket();
      socket.setReceiveBufferSize(4 * 1024);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      Poll poll = new Poll(socket);
      poll.patient();
      return poll;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Poll start(int port, String queue, long timeoutMs) {
    Poll poll = connect(port);
    poll.ask(queue, timeoutMs);
    return poll;
  }

  /** Asks for one message of a queue, and waits so long for it. */
  void ask(String queue, long timeoutMs) {
    String request =
        "GET /api/v1/pop/queue/%s?wait=true&timeout=%d HTTP/1.1\r\nHost: localhost\r\n\r\n"
            .formatted(queue, timeoutMs);
    send(request);
  }

  /** Sends whatever a test wants to send. */
  void send(String request) {
    try {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends, and says that nothing more will come. */
  void sendLast(String request) {
    send(request);
    try {
      socket.shutdownOutput();
    } catch (IOException hungUp) {
      // The server was quicker.
    }
  }

  /** Waits for the next answer: its head and its body; empty if the server hangs up instead. */
  String answer() throws IOException {
    InputStream in = socket.getInputStream();
    byte[] buffer = new byte[4096];
    while (true) {
      int end = unread.indexOf("\r\n\r\n");
      int length = end < 0 ? 0 : end + 4 + bodyLength(unread.substring(0, end));
      if (end >= 0 && unread.length() >= length) {
        String answer = unread.substring(0, length);
        unread.delete(0, length);
        return answer;
      }
      int count = in.read(buffer);
      if (count < 0) {
        return "";
      }
      // Answers of these tests are ASCII: a byte is a character.
      unread.append(new String(buffer, 0, count, StandardCharsets.ISO_8859_1));
    }
  }

  /** Whether nothing comes for so long. */
  boolean isSilentFor(Duration time) {
    try {
      socket.setSoTimeout((int) time.toMillis());
      socket.getInputStream().read();
      return false;
    } catch (SocketTimeoutException silent) {
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      patient();
    }
  }

  /** All that comes until the server hangs up. */
  String rest() {
    StringBuilder all = new StringBuilder(unread);
    unread.setLength(0);
    try {
      byte[] buffer = new byte[4096];
      for (int n = socket.getInputStream().read(buffer);
          n >= 0;
          n = socket.getInputStream().read(buffer)) {
        all.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
      }
    } catch (SocketTimeoutException silent) {
      throw new AssertionError("the server does not hang up, and said: " + all, silent);
    } catch (IOException reset) {
      // That is a way to hang up.
    }
    return all.toString();
  }

  private void patient() {
    try {
      socket.setSoTimeout(ANSWER_MS_MAX);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int bodyLength(String head) {
    for (String line : head.split("\r\n")) {
      if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
        return Integer.parseInt(line.substring(15).strip());
      }
    }
    return 0;
  }

  /** Closes the connection, as a client does that dies. */
  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
