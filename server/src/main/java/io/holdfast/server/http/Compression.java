package io.holdfast.server.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;

/** Compresses large answers of routes that only read, for clients that accept it. */
final class Compression {
  /** Smaller answers gain little. */
  static final int BYTES_MIN = 8 * 1024;

  private static final String ENCODING = "Content-Encoding";

  private Compression() {}

  /** The answer, compressed if that is worth it and the client accepts it. */
  static Answer of(RequestHead head, Answer answer, Route route) {
    String type = answer.contentType();
    boolean worth =
        answer.body().length >= BYTES_MIN
            && route.onlyLooks()
            && route.method() == Route.Method.GET
            && type != null
            && (type.startsWith("text/") || type.startsWith("application/json"))
            && !answer.headers().containsKey(ENCODING);
    if (!worth) {
      return answer;
    }
    Answer varying = answer.header("Vary", "Accept-Encoding");
    return accepts(head) ? varying.body(gzip(answer.body())).header(ENCODING, "gzip") : varying;
  }

  /** Whether a client accepts gzip. */
  static boolean accepts(RequestHead head) {
    return head.listed("Accept-Encoding")
        .map(coding -> coding.replace(" ", ""))
        .anyMatch(coding -> coding.matches("(?i)gzip(;q=(1(\\.0*)?|0?\\.0*[1-9][0-9]*))?"));
  }

  private static byte[] gzip(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 4);
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return out.toByteArray();
  }
}
