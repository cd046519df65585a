package io.holdfast.server.http;

import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * Reads bodies of requests, as far as they are not too large and there is room.
 *
 * <p>Thread: any.
 */
final class BodyReader {
  private static final byte[] NO_BODY = {};

  private final int bytesMax;

  BodyReader(int bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** How long a body may be for the web server to read past it, if nobody else wants it. */
  int worthReading() {
    return Math.min(bytesMax, Room.SMALL_BYTES);
  }

  /**
   * Reads the body that a route expects, all of it.
   *
   * @throws Problem if it is refused; what is left of it is then not read
   */
  byte[] read(ServerRequest request, Route route, Room.Share share) {
    if (!request.content().hasEntity()) {
      return NO_BODY;
    }
    Shape expected = route.body();
    if (expected == null) {
      throw Problem.body("expected no body, but got one");
    }
    if (route.access() != Access.PUBLIC) {
      return read(request, bytesMax, share, !(expected instanceof Shape.Document));
    }
    // Strangers get none of the room that all share; and a chunk is gathered before it is counted.
    if (request.headers().contentLength().isEmpty()) {
      throw Problem.body("expected the header Content-Length, but the body is chunked");
    }
    return read(request, worthReading(), share, !(expected instanceof Shape.Document));
  }

  private static byte[] read(ServerRequest request, int bytesMax, Room.Share share, boolean json) {
    long told = request.headers().contentLength().orElse(0);
    if (told > bytesMax) {
      throw tooLarge(bytesMax);
    }
    try (InputStream in = request.content().inputStream()) {
      byte[] body = read(in, told > 0 ? (int) told : bytesMax + 1, share, json);
      if (body.length > bytesMax) {
        throw tooLarge(bytesMax);
      }
      if (body.length < told) {
        throw Problem.body("expected " + told + " bytes of body, but got " + body.length);
      }
      return body;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** Reads up to so many bytes. Room is taken for what has come, not for what a client promises. */
  private static byte[] read(InputStream in, int most, Room.Share share, boolean json)
      throws IOException {
    KeyCount keys = new KeyCount();
    byte[] body = in.readNBytes(Math.min(most, Room.SMALL_BYTES));
    int length = body.length;
    while (length == body.length && length < most && length > 0) {
      int more = Math.min(length, most - length);
      share.take(more);
      body = Arrays.copyOf(body, length + more);
      length += in.readNBytes(body, length, more);
      if (json && length > KeyCount.SMALL_BYTES) {
        keys.count(body, length);
      }
    }
    return length == body.length ? body : Arrays.copyOf(body, length);
  }

  private static Problem tooLarge(int bytesMax) {
    return Problem.of(
        413, "TOO_LARGE", "the body: expected at most " + bytesMax + " bytes, but got more");
  }
}
