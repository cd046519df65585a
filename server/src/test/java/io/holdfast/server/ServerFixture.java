package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.Broker;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.engine.store.MemoryStore;
import io.holdfast.testkit.ManualClock;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * A server over an engine with its rows in memory, under a clock of the test, and an HTTP client. A
 * test that needs a data directory overrides {@link #engine()}.
 */
public abstract class ServerFixture {
  protected static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @TempDir protected Path temp;
  protected ManualClock clock = new ManualClock();
  protected Broker broker;
  protected HoldfastServer server;
  private MemoryStore rows = new MemoryStore();

  /** An answer: its status, headers, and body as JSON (missing if there is none). */
  public record Reply(int status, HttpResponse<String> http, JsonNode json) {
    public String header(String name) {
      return http.headers().firstValue(name).orElse("");
    }

    public Reply expect(int wanted) {
      assertThat(status).as(http.body()).isEqualTo(wanted);
      return this;
    }

    public String text(String pointer) {
      return json.at(pointer).asString();
    }

    public long number(String pointer) {
      return json.at(pointer).asLong();
    }

    public boolean flag(String pointer) {
      return json.at(pointer).asBoolean();
    }
  }

  @BeforeEach
  void startServer() {
    start();
  }

  @AfterEach
  void stopServer() {
    server.close();
  }

  private void start() {
    EngineConfig config = engine();
    broker =
        config.directory() == null
            ? EmbeddedBroker.open(config, clock, rows)
            : EmbeddedBroker.open(config, clock);
    server = HoldfastServer.start(config(), broker, clock);
  }

  protected EngineConfig engine() {
    return EngineConfig.inMemory();
  }

  protected ServerConfig config() {
    return ServerConfig.defaults().port(0);
  }

  /** Stops the server and the broker, and starts both again on the same data. */
  protected void restart() {
    server.close();
    rows = rows.reopen();
    start();
  }

  protected void advanceSeconds(long seconds) {
    clock.advance(Duration.ofSeconds(seconds));
  }

  protected URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.port() + path);
  }

  protected Reply get(String path) {
    return send("GET", path, null);
  }

  protected Reply delete(String path) {
    return send("DELETE", path, null);
  }

  protected Reply post(String path) {
    return send("POST", path, null);
  }

  /** Posts JSON; single quotes stand for double ones. */
  protected Reply post(String path, String json) {
    return send("POST", path, json.replace('\'', '"'));
  }

  protected Reply send(String method, String path, @Nullable String body) {
    HttpRequest request =
        HttpRequest.newBuilder(uri(path))
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .header("Content-Type", "application/json")
            .build();
    return send(request);
  }

  /** All of a body, but only the beginning of one that may never end. */
  private static BodySubscriber<String> body(ResponseInfo response) {
    boolean endless =
        response.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream");
    return endless ? new FirstEvent() : BodySubscribers.ofString(StandardCharsets.UTF_8);
  }

  protected static Reply send(HttpRequest request) {
    try {
      HttpResponse<String> http = CLIENT.send(request, ServerFixture::body);
      boolean json =
          http.headers()
              .firstValue("Content-Type")
              .orElse("")
              .matches("application/(problem\\+)?json");
      return new Reply(
          http.statusCode(), http, json ? JSON.readTree(http.body()) : JSON.missingNode());
    } catch (IOException failed) {
      throw new AssertionError(request + " was not answered", failed);
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }
}
