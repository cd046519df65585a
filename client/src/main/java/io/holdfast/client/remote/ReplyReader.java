package io.holdfast.client.remote;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Locale;

/**
 * Reads the answers of one connection, one after the other.
 *
 * <p>Thread: one.
 */
final class ReplyReader {
  static final int SWITCHING_PROTOCOLS = 101;
  private static final int NO_CONTENT = 204;
  private static final int BUFFER = 16 * 1024;
  private static final int HEAD_BYTES_MAX = 64 * 1024;
  private static final int BODY_BYTES_MAX = 256 << 20;

  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER];
  private int at;
  private int end;
  private int headBytes;

  ReplyReader(InputStream in) {
    this.in = in;
  }

  Reply read() throws IOException {
    headBytes = 0;
    String status = line();
    if (!status.startsWith("HTTP/1.") || status.length() < 12) {
      throw new IOException("expected an answer of HTTP/1.1, but got something else");
    }
    int code = number(status.substring(9, 12), 10);
    long length = -1;
    boolean chunked = false;
    boolean lasting = status.startsWith("HTTP/1.1");
    String type = "";
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      if (colon < 0) {
        throw new IOException("expected a header of an answer, but got something else");
      }
      String value = line.substring(colon + 1).strip();
      switch (line.substring(0, colon).toLowerCase(Locale.ROOT)) {
        case "content-length" -> length = number(value, 10);
        case "content-type" -> type = value;
        case "transfer-encoding" -> chunked = value.equalsIgnoreCase("chunked");
        case "connection" -> lasting &= !value.equalsIgnoreCase("close");
        default -> {}
      }
    }
    if (chunked) {
      return new Reply(code, type, chunks(), lasting);
    }
    if (length < 0 && code != NO_CONTENT && code != SWITCHING_PROTOCOLS) {
      return new Reply(code, type, toTheEnd(), false);
    }
    return new Reply(code, type, bytes((int) Math.max(0, length)), lasting);
  }

  /** The bytes behind the last answer that were read already. */
  byte[] rest() {
    return Arrays.copyOfRange(buffer, at, end);
  }

  private static int number(String text, int radix) throws IOException {
    try {
      int number = Integer.parseInt(text, radix);
      if (number >= 0 && number <= BODY_BYTES_MAX) {
        return number;
      }
    } catch (NumberFormatException none) {
      throw new IOException("expected a number in the head of an answer", none);
    }
    throw new IOException("expected at most " + BODY_BYTES_MAX + " bytes of an answer");
  }

  private byte[] chunks() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      String head = line();
      int extension = head.indexOf(';');
      int length = number((extension < 0 ? head : head.substring(0, extension)).strip(), 16);
      if (length == 0) {
        while (!line().isEmpty()) {
          // A trailer says nothing to us.
        }
        return body.toByteArray();
      }
      if (length > BODY_BYTES_MAX - body.size()) {
        throw new IOException("expected at most " + BODY_BYTES_MAX + " bytes of an answer");
      }
      body.writeBytes(bytes(length));
      line();
      headBytes = 0;
    }
  }

  private byte[] toTheEnd() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.write(buffer, at, end - at);
    at = end;
    body.writeBytes(in.readNBytes(BODY_BYTES_MAX));
    return body.toByteArray();
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
    StringBuilder earlier = null;
    while (true) {
      for (int i = at; i < end; i++) {
        if (buffer[i] == '\n') {
          String line = new String(buffer, at, i - at, ISO_8859_1);
          at = i + 1;
          String whole = earlier == null ? line : earlier.append(line).toString();
          return whole.endsWith("\r") ? whole.substring(0, whole.length() - 1) : whole;
        }
      }
      earlier = earlier == null ? new StringBuilder() : earlier;
      earlier.append(new String(buffer, at, end - at, ISO_8859_1));
      headBytes += end - at;
      if (headBytes > HEAD_BYTES_MAX) {
        throw new IOException("expected at most " + HEAD_BYTES_MAX + " bytes of headers");
      }
      at = 0;
      end = Math.max(0, in.read(buffer, 0, buffer.length));
      if (end == 0) {
        throw new EOFException("the server closed the connection before it answered");
      }
    }
  }
}
