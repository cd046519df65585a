package io.holdfast.server.status;

import io.holdfast.testkit.WaitLimits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Somebody who listens to events, over a connection of their own. */
final class Listener implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Socket socket;
  private final BufferedReader in;
  private final String status;

  private Listener(int port, String path) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout((int) WaitLimits.EVENT.toMillis());
    socket
        .getOutputStream()
        .write(
            ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
    in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    status = String.valueOf(in.readLine());
  }

  static Listener start(int port, String path) {
    try {
      return new Listener(port, path);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  String status() {
    return status;
  }

  /** The next line that begins with something; null at the end. */
  @Nullable String next(String beginning) {
    try {
      String line = in.readLine();
      while (line != null && !line.startsWith(beginning)) {
        line = in.readLine();
      }
      return line;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** The data of the next tick; heartbeats before it are skipped. */
  JsonNode tick() {
    String line = next("event: tick") == null ? null : next("data: ");
    if (line == null) {
      throw new AssertionError("expected an event, but the answer ended");
    }
    return JSON.readTree(line.substring("data: ".length()));
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
