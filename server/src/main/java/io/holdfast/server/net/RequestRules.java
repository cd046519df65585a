package io.holdfast.server.net;

import io.holdfast.server.http.Problem;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.InvalidLineSeparatorException;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules for heads of requests that are stricter than those of the decoder. */
final class RequestRules {
  /** The length of a body that comes in chunks. */
  static final long CHUNKED = -1;

  private static final int LENGTH_DIGITS_MAX = 15;

  private RequestRules() {}

  /** Why a head is refused, and the connection with it; null if it is not. */
  static @Nullable Problem refusal(HttpRequest head, RequestBounds bounds) {
    if (head.decoderResult().isFailure()) {
      return undecodable(head.decoderResult().cause(), bounds);
    }
    HttpHeaders headers = head.headers();
    if (headers.size() > bounds.headersMax()) {
      return tooLarge("at most " + bounds.headersMax());
    }
    if (!head.protocolVersion().equals(HttpVersion.HTTP_1_1) || !head.uri().startsWith("/")) {
      return refused("a method, a path that begins with /, and HTTP/1.1");
    }
    if (!isAscii(head.uri())) {
      return refused("a path of ASCII characters, others percent-encoded");
    }
    if (headers.getAll(HttpHeaderNames.HOST).size() > 1) {
      return refused("one Host");
    }
    return framing(headers);
  }

  private static @Nullable Problem framing(HttpHeaders headers) {
    List<String> codings = headers.getAll(HttpHeaderNames.TRANSFER_ENCODING);
    if (codings.size() > 1
        || (codings.size() == 1
            && !HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(codings.getFirst()))) {
      return refused("one Content-Length, or chunks and no other coding");
    }
    String length = headers.get(HttpHeaderNames.CONTENT_LENGTH);
    if (length != null && length.length() > LENGTH_DIGITS_MAX) {
      return refused("one Content-Length of digits, or chunks");
    }
    String encoding = headers.get(HttpHeaderNames.CONTENT_ENCODING);
    if (encoding != null && !HttpHeaderValues.IDENTITY.contentEqualsIgnoreCase(encoding)) {
      return Problem.of(
          415,
          "WRONG_TYPE",
          "the Content-Encoding: expected none, because bodies come as they are");
    }
    return null;
  }

  private static Problem undecodable(Throwable cause, RequestBounds bounds) {
    return switch (cause) {
      case TooLongHttpLineException _ ->
          Problem.of(
              414,
              "TOO_LARGE",
              "the first line: expected at most " + bounds.lineBytesMax() + " bytes, but got more");
      case TooLongHttpHeaderException _ ->
          tooLarge("at most " + bounds.headerBytesMax() + " bytes");
      case InvalidLineSeparatorException _ ->
          refused("lines that end with CR and LF, without control characters");
      default ->
          refused(
              "a method, a path that begins with /, and HTTP/1.1; headers of a name, a colon and a"
                  + " value, each in one line; one Content-Length, or chunks");
    };
  }

  /** The length of the body that follows a head; negative if it comes in chunks. */
  static long bodyLength(HttpRequest head) {
    if (head.headers().contains(HttpHeaderNames.TRANSFER_ENCODING)) {
      return CHUNKED;
    }
    String length = head.headers().get(HttpHeaderNames.CONTENT_LENGTH);
    return length == null ? 0 : Long.parseLong(length);
  }

  private static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }

  /** What is answered to a body that could be understood in two ways. */
  static Problem chunks() {
    return refused("chunks without extensions and trailers, each line with CR and LF");
  }

  private static Problem refused(String expected) {
    return Problem.of(400, "BAD_REQUEST", "the request: expected " + expected);
  }

  private static Problem tooLarge(String expected) {
    return Problem.of(431, "TOO_LARGE", "the headers: expected " + expected + ", but got more");
  }
}
