package io.holdfast.bench.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Locale;

/** HTTP/1.1 with keep-alive over a blocking socket: one write for a request, no threads. */
final class SocketWire implements Wire {
  private static final int BUFFER = 64 * 1024;
  private static final int CONNECT_MS_MAX = 5_000;

  private final Socket socket = new Socket();
  private final InputStream in;
  private final OutputStream out;
  private final String host;
  private byte[] buffer = new byte[BUFFER];
  private int at;
  private int end;

  SocketWire(int port) throws IOException {
    socket.setTcpNoDelay(true);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MS_MAX);
    in = socket.getInputStream();
    out = socket.getOutputStream();
    host = "127.0.0.1:" + port;
  }

  @Override
  public Reply exchange(String method, String path, byte[] body) throws IOException {
    send(method, path, body);
    return receive();
  }

  private void send(String method, String path, byte[] body) throws IOException {
    StringBuilder head = new StringBuilder(160).append(method).append(' ').append(path);
    head.append(" HTTP/1.1\r\nHost: ").append(host);
    if (body.length > 0) {
      head.append("\r\nContent-Type: application/json\r\nContent-Length: ").append(body.length);
    }
    byte[] first = head.append("\r\n\r\n").toString().getBytes(ISO_8859_1);
    byte[] whole = Arrays.copyOf(first, first.length + body.length);
    System.arraycopy(body, 0, whole, first.length, body.length);
    out.write(whole);
  }

  private Reply receive() throws IOException {
    String status = line();
    if (!status.startsWith("HTTP/1.1 ") || status.length() < 12) {
      throw new IOException("expected the head of an answer, but got " + status);
    }
    int length = 0;
    boolean chunked = false;
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      String value = line.substring(colon + 1).strip();
      switch (line.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT)) {
        case "content-length" -> length = Integer.parseInt(value);
        case "transfer-encoding" -> chunked = value.equalsIgnoreCase("chunked");
        default -> {}
      }
    }
    byte[] body = chunked ? chunks() : bytes(length);
    return new Reply(Integer.parseInt(status.substring(9, 12)), body);
  }

  private byte[] chunks() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      String head = line();
      int extension = head.indexOf(';');
      int length =
          Integer.parseInt((extension < 0 ? head : head.substring(0, extension)).strip(), 16);
      if (length == 0) {
        while (!line().isEmpty()) {
          // A trailer says nothing to us.
        }
        return body.toByteArray();
      }
      body.writeBytes(bytes(length));
      line();
    }
  }

  private byte[] bytes(int length) throws IOException {
    byte[] bytes = new byte[length];
    int have = Math.min(length, end - at);
    System.arraycopy(buffer, at, bytes, 0, have);
    at += have;
    if (in.readNBytes(bytes, have, length - have) < length - have) {
      throw new EOFException("the answer was cut off");
    }
    return bytes;
  }

  /** The next line, without its end. */
  private String line() throws IOException {
    int from = at;
    while (true) {
      for (int i = from; i < end; i++) {
        if (buffer[i] == '\n') {
          int to = i > at && buffer[i - 1] == '\r' ? i - 1 : i;
          String line = new String(buffer, at, to - at, ISO_8859_1);
          at = i + 1;
          return line;
        }
      }
      from = end - at;
      fill();
      from += at;
    }
  }

  /** Reads more behind what is there, which moves to the front. */
  private void fill() throws IOException {
    System.arraycopy(buffer, at, buffer, 0, end - at);
    end -= at;
    at = 0;
    if (end == buffer.length) {
      buffer = Arrays.copyOf(buffer, 2 * end);
    }
    int count = in.read(buffer, end, buffer.length - end);
    if (count < 0) {
      throw new EOFException("the server closed the connection");
    }
    end += count;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close a connection", e);
    }
  }
}
