package io.holdfast.server.queen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * The HTTP layer of Queen's JavaScript client, as it is on the wire: its headers, how it reads
 * answers, what it repeats, and how it chooses among several servers.
 */
final class QueenHttp {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final int ATTEMPTS = 3;
  private static final long TIMEOUT_MS = 30_000;

  /** What the client throws: the text of the server, and the status; 0 if there was no answer. */
  static final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int status;

    Failure(int status, String message) {
      super(message);
      this.status = status;
    }

    int status() {
      return status;
    }
  }

  private final List<String> urls;
  private final Map<String, String> headers = new LinkedHashMap<>();
  private int requests;
  private int refusals = 1;
  private Runnable whenRefused = () -> {};

  QueenHttp(String... urls) {
    this.urls = List.of(urls);
    headers.put("Content-Type", "application/json");
    // What fetch of Node adds.
    headers.put("Accept", "*/*");
    headers.put("Accept-Language", "*");
    headers.put("Sec-Fetch-Mode", "cors");
    headers.put("User-Agent", "node");
    headers.put("Accept-Encoding", "gzip, deflate");
  }

  QueenHttp header(String name, String value) {
    headers.put(name, value);
    return this;
  }

  /** As newer clients do: sends a request again that is answered 429, up to ten times. */
  QueenHttp repeating(Runnable action) {
    refusals = 10;
    whenRefused = action;
    return this;
  }

  /** How many requests were sent, repeats included. */
  int requests() {
    return requests;
  }

  @Nullable JsonNode get(String path) {
    return call("GET", path, null, TIMEOUT_MS, null);
  }

  /** A pop: it has a longer timeout, and always goes to the same server if there are several. */
  @Nullable JsonNode poll(String path, long timeoutMs, String affinityKey) {
    return call("GET", path, null, timeoutMs + 5_000, affinityKey);
  }

  @Nullable JsonNode post(String path, Object body) {
    return call("POST", path, JSON.writeValueAsString(body), TIMEOUT_MS, null);
  }

  @Nullable JsonNode delete(String path) {
    return call("DELETE", path, null, TIMEOUT_MS, null);
  }

  /** Tries the next server, or with one server again, unless the answer is 4xx. */
  private @Nullable JsonNode call(
      String method, String path, @Nullable String body, long timeoutMs, @Nullable String key) {
    Failure last = null;
    for (String url : attempts(key)) {
      try {
        return once(url, method, path, body, timeoutMs);
      } catch (Failure failed) {
        if (failed.status() >= 400 && failed.status() < 500) {
          throw failed;
        }
        last = failed;
      }
    }
    throw last == null ? new Failure(0, "no server") : last;
  }

  private List<String> attempts(@Nullable String key) {
    List<String> attempts = new ArrayList<>();
    int first = key == null ? 0 : Math.floorMod(key.hashCode(), urls.size());
    for (int i = 0; i < Math.max(urls.size(), urls.size() == 1 ? ATTEMPTS : 0); i++) {
      attempts.add(urls.get((first + i) % urls.size()));
    }
    return attempts;
  }

  private @Nullable JsonNode once(
      String url, String method, String path, @Nullable String body, long timeoutMs) {
    requests++;
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path.replace(" ", "%20")))
            .timeout(Duration.ofMillis(timeoutMs))
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    headers.forEach(request::header);
    try {
      HttpResponse<byte[]> answer = send(request.build());
      return read(answer.statusCode(), text(answer));
    } catch (IOException unreachable) {
      throw new Failure(0, "fetch failed");
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }

  /** Newer clients repeat a request that is answered 429, on the same server. */
  private HttpResponse<byte[]> send(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<byte[]> answer = CLIENT.send(request, BodyHandlers.ofByteArray());
    for (int i = 1; answer.statusCode() == 429 && i < refusals; i++) {
      assertThat(answer.headers().firstValue("Retry-After")).get().asString().matches("[0-9]+");
      // The test makes room; the client would sleep first.
      whenRefused.run();
      requests++;
      answer = CLIENT.send(request, BodyHandlers.ofByteArray());
    }
    return answer;
  }

  /** A text as fetch gives it: decompressed. */
  private static String text(HttpResponse<byte[]> answer) throws IOException {
    boolean packed = answer.headers().firstValue("Content-Encoding").orElse("").equals("gzip");
    byte[] bytes = answer.body();
    return new String(
        packed ? new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes() : bytes,
        StandardCharsets.UTF_8);
  }

  private static @Nullable JsonNode read(int status, String body) {
    if (status == 204) {
      if (!body.isEmpty()) {
        throw new AssertionError("a body with 204 breaks the connection of this client");
      }
      return null;
    }
    if (status >= 400) {
      JsonNode error = parsed(body);
      throw new Failure(
          status, error == null ? "HTTP " + status : error.path("error").asString("none"));
    }
    return body.isEmpty() ? null : parsed(body);
  }

  private static @Nullable JsonNode parsed(String text) {
    try {
      return JSON.readTree(text);
    } catch (JacksonException noJson) {
      return null;
    }
  }
}
