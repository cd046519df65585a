package io.holdfast.cli.store;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Refusal;
import io.holdfast.api.RefusedException;
import io.holdfast.api.UnreachableException;
import io.holdfast.client.remote.RemoteConfig;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** An HTTP call in JSON, for routes that are not part of the broker API. */
public final class ServerCall {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** A checkpoint may copy much data. */
  private static final Duration TIMEOUT = Duration.ofMinutes(30);

  private final RemoteConfig config;

  public ServerCall(RemoteConfig config) {
    this.config = config;
  }

  public JsonNode get(String path) {
    return send("GET", path, null);
  }

  public JsonNode post(String path, byte @Nullable [] body) {
    return send("POST", path, body);
  }

  private JsonNode send(String method, String path, byte @Nullable [] body) {
    URI address = config.addresses().getFirst();
    String base = address.toString().replaceFirst("/$", "");
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + path))
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json")
            .method(
                method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
    if (config.token() != null) {
      request.header("Authorization", "Bearer " + config.token());
    }
    HttpClient.Builder client = HttpClient.newBuilder().connectTimeout(config.connectTimeout());
    if (config.tls() != null) {
      client.sslContext(config.tls());
    }
    try (HttpClient open = client.build()) {
      return answer(open.send(request.build(), BodyHandlers.ofByteArray()));
    } catch (IOException e) {
      boolean sent = !(e instanceof ConnectException || e instanceof HttpConnectTimeoutException);
      throw new UnreachableException(String.valueOf(e), sent, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnreachableException("interrupted", true, e);
    }
  }

  private static JsonNode answer(HttpResponse<byte[]> response) {
    if (response.statusCode() / 100 == 2) {
      return JSON.readTree(response.body());
    }
    String text = new String(response.body(), StandardCharsets.UTF_8);
    JsonNode problem = text.startsWith("{") ? JSON.readTree(text) : JSON.createObjectNode();
    String why = problem.path("error").asString("the server answered " + response.statusCode());
    for (ErrorCode code : ErrorCode.values()) {
      if (code.name().equals(problem.path("code").asString(""))) {
        throw new RefusedException(Refusal.of(code, why));
      }
    }
    throw new IllegalArgumentException(why);
  }
}
