package io.holdfast.bench.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Requests about the cluster to its nodes.
 *
 * <p>Thread: any.
 */
final class ClusterCalls implements AutoCloseable {
  private static final String PATH = "/api/v1/cluster";
  private static final Pattern LEADER = Pattern.compile("\"leader\"\\s*:\\s*\"([^\"]+)\"");

  /** The first node of the answer is the one that answers. */
  private static final Pattern APPLIED = Pattern.compile("\"appliedIndex\"\\s*:\\s*([0-9]+)");

  private static final Duration ASK_MAX = Duration.ofSeconds(2);
  private static final Duration CHANGE_MAX = Duration.ofMinutes(2);
  private static final int CHANGE_TRIES = 10;
  private static final long CHANGE_PAUSE_MS = 1_000;

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(ASK_MAX).build();

  /** The name of the leader, as a node knows it; null if it knows none or does not answer. */
  @Nullable String leader(String url) {
    return find(LEADER, url);
  }

  /** The last entry that a node has applied; -1 if it does not answer. */
  long applied(String url) {
    String applied = find(APPLIED, url);
    return applied == null ? -1 : Long.parseLong(applied);
  }

  private @Nullable String find(Pattern pattern, String url) {
    try {
      HttpRequest request = HttpRequest.newBuilder(URI.create(url + PATH)).timeout(ASK_MAX).build();
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString(UTF_8));
      Matcher matcher = pattern.matcher(answer.body());
      return matcher.find() ? matcher.group(1) : null;
    } catch (IOException unreachable) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** Changes the members; tries again while there is no leader. */
  void change(String url, String operation, @Nullable String node, @Nullable String address)
      throws IOException, InterruptedException {
    String body =
        "{"
            + (node == null ? "" : "\"node\":\"" + node + "\"")
            + (node == null || address == null ? "" : ",")
            + (address == null ? "" : "\"address\":\"" + address + "\"")
            + "}";
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + PATH + "/" + operation))
            .timeout(CHANGE_MAX)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body, UTF_8))
            .build();
    String refusal = "";
    for (int tries = 0; tries < CHANGE_TRIES; tries++) {
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString(UTF_8));
      if (answer.statusCode() == 200) {
        return;
      }
      refusal = answer.body();
      Thread.sleep(CHANGE_PAUSE_MS);
    }
    throw new IllegalStateException(operation + " " + body + " was refused: " + refusal);
  }

  @Override
  public void close() {
    http.close();
  }
}
