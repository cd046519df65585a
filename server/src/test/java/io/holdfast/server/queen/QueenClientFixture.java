package io.holdfast.server.queen;

import static org.awaitility.Awaitility.await;

import io.holdfast.server.ServerFixture;
import io.holdfast.server.queen.QueenClient.Pop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import tools.jackson.databind.JsonNode;

/** A server, and a client that speaks to it as Queen's own does. */
abstract class QueenClientFixture extends ServerFixture {
  QueenHttp http;
  QueenClient queen;

  @BeforeEach
  void connect() {
    http = new QueenHttp(url());
    queen = new QueenClient(http);
  }

  String url() {
    return "http://127.0.0.1:" + server.port();
  }

  /** The names of messages, one behind the other. */
  static String names(List<JsonNode> messages) {
    StringBuilder names = new StringBuilder();
    messages.forEach(message -> names.append(message.get("transactionId").asString()));
    return names.toString();
  }

  static List<String> texts(JsonNode array, String field) {
    List<String> texts = new ArrayList<>();
    array.forEach(element -> texts.add(element.path(field).asString()));
    return texts;
  }

  /** Begins a pop that waits, and returns when the broker has parked it. */
  CompletableFuture<List<JsonNode>> parked(Pop pop) {
    int before = broker.stats().orThrow().parkedPops();
    CompletableFuture<List<JsonNode>> popped = CompletableFuture.supplyAsync(() -> queen.pop(pop));
    await().until(() -> broker.stats().orThrow().parkedPops() == before + 1);
    return popped;
  }
}
