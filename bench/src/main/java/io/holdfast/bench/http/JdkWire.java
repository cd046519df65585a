package io.holdfast.bench.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** The HTTP client of the JDK, one for all connections, as an application would have it. */
final class JdkWire implements Wire {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final String base;

  JdkWire(int port) {
    base = "http://127.0.0.1:" + port;
  }

  @Override
  public Reply exchange(String method, String path, byte[] body) throws IOException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path));
    if (body.length > 0) {
      request
          .method(method, BodyPublishers.ofByteArray(body))
          .header("Content-Type", "application/json");
    } else {
      request.method(method, BodyPublishers.noBody());
    }
    try {
      HttpResponse<byte[]> response = CLIENT.send(request.build(), BodyHandlers.ofByteArray());
      return new Reply(response.statusCode(), response.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while it waited for an answer");
    }
  }

  @Override
  public void close() {
    // The connections belong to the client, which lets go of idle ones by itself.
  }
}
