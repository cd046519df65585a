package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Commands print with {@code --json} the objects that the HTTP interface answers. */
class SameObjectsTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final CliFixture cli = CliFixture.start();

  @BeforeEach
  void prepare() {
    cli.ok("queue", "create", "q", "track=true", "retryLimit=0");
    cli.ok("push", "q", "{\"a\":1}", "--transaction-id", "t-1");
    cli.ok("push", "q", "2", "--transaction-id", "t-2");
    String lease = cli.json("pop", "q").get("leaseId").asString();
    cli.ok("nack", lease, "--error", "no");
  }

  @AfterEach
  void close() {
    cli.close();
  }

  private JsonNode http(String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(cli.url() + path)).build();
      return JSON.readTree(client.send(request, BodyHandlers.ofString()).body());
    }
  }

  private void shouldBeEqual(String path, String pointer, String... command) throws Exception {
    JsonNode printed = cli.json(command).at(pointer);
    assertThat(printed.isObject()).as(String.join(" ", command)).isTrue();
    assertThat(printed).isEqualTo(http(path).at(pointer));
  }

  @Test
  void shouldPrintWhatHttpAnswers() throws Exception {
    shouldBeEqual("/api/v1/messages?queue=q", "/messages/0", "messages", "q");
    shouldBeEqual("/api/v1/dlq?queue=q", "/messages/0", "dlq", "list", "q");
    shouldBeEqual("/api/v1/tasks?queue=q", "/tasks/0", "tasks", "q");
    shouldBeEqual("/api/v1/resources/queues", "/queues/0", "queues");
    shouldBeEqual("/api/v1/consumer-groups", "/groups/0", "groups");
    String id = cli.json("tasks", "q").at("/tasks/0/id").asString();
    shouldBeEqual("/api/v1/tasks/" + id, "", "task", id);
  }

  @Test
  void shouldExplainAMessageAsHttpShowsIt() throws Exception {
    JsonNode listed = cli.json("messages", "q").at("/messages/0");
    String path =
        listed.get("partitionId").asString() + "/" + listed.get("transactionId").asString();
    shouldBeEqual("/api/v1/messages/" + path, "", "explain", listed.get("id").asString());
  }

  @Test
  void shouldPopWhatHttpPops() throws Exception {
    // given
    cli.ok("push", "other", "1");
    JsonNode printed = cli.json("pop", "other").at("/messages/0");
    cli.ok("push", "third", "1");
    // when
    JsonNode popped = http("/api/v1/pop/queue/third").at("/messages/0");
    // then
    assertThat(printed.propertyNames()).containsExactlyElementsOf(popped.propertyNames());
  }
}
