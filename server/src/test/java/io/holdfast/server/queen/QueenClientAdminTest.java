package io.holdfast.server.queen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.server.queen.QueenClient.Pop;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Each call of {@code queen.admin}. */
class QueenClientAdminTest extends QueenClientFixture {
  private JsonNode leased;

  @BeforeEach
  void fill() {
    queen.create("orders", "shop", "bill", Map.of());
    queen.push("orders", "a", "b", "c");
    leased = queen.pop(Pop.queue("orders").group("g")).getFirst();
  }

  private String path(JsonNode message) {
    return message.get("partitionId").asString() + "/" + message.get("transactionId").asString();
  }

  @Test
  void shouldShowResources() {
    JsonNode overview = queen.admin("/api/v1/resources/overview");
    assertThat(overview.get("queues").asInt()).isEqualTo(1);
    assertThat(overview.at("/messages/total").asInt()).isEqualTo(3);
    assertThat(queen.admin("/api/v1/resources/namespaces").at("/namespaces/0/namespace").asString())
        .isEqualTo("shop");
    assertThat(queen.admin("/api/v1/resources/tasks").at("/tasks/0/task").asString())
        .isEqualTo("bill");
    JsonNode queues = queen.admin("/api/v1/resources/queues?limit=10&offset=0&search=ord");
    assertThat(queues.at("/queues/0/name").asString()).isEqualTo("orders");
    assertThat(queues.at("/queues/0/messages/total").asInt()).isEqualTo(3);
    JsonNode queue = queen.admin("/api/v1/resources/queues/orders");
    assertThat(queue.at("/partitions/0/name").asString()).isEqualTo("Default");
    assertThat(queue.at("/totals/pending").asInt()).isEqualTo(2);
    JsonNode partitions = queen.admin("/api/v1/resources/partitions?queue=orders&limit=10");
    assertThat(partitions.at("/partitions/0/partition").asString()).isEqualTo("Default");
  }

  @Test
  void shouldReadALargeListThatIsCompressed() {
    for (int i = 0; i < 200; i++) {
      queen.push("orders", "m" + i);
    }
    JsonNode all = queen.admin("/api/v1/messages?queue=orders&limit=1000");
    assertThat(all.get("messages").size()).isGreaterThanOrEqualTo(200);
  }

  @Test
  void shouldListAndShowMessages() {
    JsonNode all = queen.admin("/api/v1/messages?limit=10");
    assertThat(texts(all.get("messages"), "transactionId")).containsExactly("a", "b", "c");
    JsonNode some =
        queen.admin(
            "/api/v1/messages?queue=orders&partition=Default&status=pending&limit=2&offset=1");
    assertThat(some.get("messages").size()).isLessThanOrEqualTo(2);
    JsonNode shown = queen.admin("/api/v1/messages/" + path(leased));
    assertThat(shown.get("payload")).isEqualTo(JSON.readTree("{\"name\":\"a\"}"));
    assertThat(shown.get("queue").asString()).isEqualTo("orders");
    assertThat(shown.at("/consumerGroups/0/name").asString()).isEqualTo("g");
    assertThatThrownBy(() -> queen.admin("/api/v1/messages/1/none"))
        .hasMessage("Message not found");
  }

  @Test
  void shouldMoveAndRetryAndDeleteMessages() {
    String path = "/api/v1/messages/" + path(leased);
    assertThat(queen.adminPost(path + "/dlq", Map.of()).get("success").asBoolean()).isTrue();
    assertThat(queen.deadLetters("orders", "g", 10, 0)).hasSize(1);
    assertThat(queen.adminPost(path + "/retry", Map.of()).get("success").asBoolean()).isTrue();
    assertThat(queen.adminDelete(path).get("success").asBoolean()).isTrue();
    JsonNode cleared = queen.adminDelete("/api/v1/queues/orders/clear?partition=Default");
    assertThat(cleared.get("success").asBoolean()).isTrue();
    assertThat(queen.pop(Pop.queue("orders"))).isEmpty();
  }

  @Test
  void shouldTrace() {
    // when
    JsonNode traced = queen.trace(leased, "g", List.of("room 1", "tenant"), Map.of("text", "hi"));
    queen.trace(leased, null, List.of(), Map.of("text", "again"));
    // then
    assertThat(traced.get("success").asBoolean()).isTrue();
    JsonNode ofMessage = queen.admin("/api/v1/traces/" + path(leased));
    assertThat(texts(ofMessage.get("traces"), "event_type")).containsExactly("info", "info");
    JsonNode byName = queen.admin("/api/v1/traces/by-name/room%201?limit=10&offset=0&from=x&to=y");
    assertThat(byName.at("/traces/0/data/text").asString()).isEqualTo("hi");
    assertThat(byName.get("total").asInt()).isEqualTo(1);
    JsonNode names = queen.admin("/api/v1/traces/names?limit=10&search=room");
    assertThat(texts(names.get("trace_names"), "trace_name"))
        .containsExactlyInAnyOrder("room 1", "tenant");
  }

  @Test
  void shouldTellStatus() {
    advanceSeconds(1);
    JsonNode status = queen.admin("/api/v1/status?hours=1");
    assertThat(status.at("/messages/total").asInt()).isEqualTo(3);
    assertThat(status.at("/queues/0/name").asString()).isEqualTo("orders");
    JsonNode queues = queen.admin("/api/v1/status/queues?limit=10&offset=0&filter=x");
    assertThat(queues.at("/queues/0/name").asString()).isEqualTo("orders");
    assertThat(queues.at("/pagination/limit").asInt()).isEqualTo(10);
    JsonNode queue = queen.admin("/api/v1/status/queues/orders?detail=full");
    assertThat(queue.at("/queue/config/leaseTime").asInt()).isEqualTo(300);
    JsonNode analytics =
        queen.admin("/api/v1/status/analytics?interval=hour&namespace=shop&task=bill");
    assertThat(analytics.get("dataPoints").isArray()).isTrue();
  }

  @Test
  void shouldTellMetrics() {
    String span = "?from=2025-12-31T00:00:00.000Z&to=2026-01-02T00:00:00.000Z&hostname=h";
    JsonNode system = queen.admin("/api/v1/analytics/system-metrics" + span);
    assertThat(system.get("replicas").isArray()).isTrue();
    assertThat(system.get("replicaCount").isIntegralNumber()).isTrue();
    JsonNode worker = queen.admin("/api/v1/analytics/worker-metrics" + span);
    assertThat(worker.at("/summary/totalPushMessages").asInt()).isEqualTo(3);
    JsonNode postgres = queen.admin("/api/v1/analytics/postgres-stats");
    assertThat(postgres.get("tableSizes").isArray()).isTrue();
    assertThat(postgres.get("databaseCache").isObject()).isTrue();
    assertThat(queen.admin("/health").get("status").asString()).isEqualTo("healthy");
    // The text of Prometheus is no JSON: the client makes null of it.
    assertThat(http.get("/metrics")).isNull();
    assertThat(queen.adminPost("/api/v1/stats/refresh", Map.of()).get("success").asBoolean())
        .isTrue();
  }

  @Test
  void shouldStopForMaintenance() {
    // when
    JsonNode on = queen.adminPost("/api/v1/system/maintenance", Map.of("enabled", true));
    // then
    assertThat(on.get("maintenanceMode").asBoolean()).isTrue();
    assertThat(queen.admin("/api/v1/system/maintenance").get("maintenanceMode").asBoolean())
        .isTrue();
    assertThatThrownBy(() -> queen.push("orders", "d")).isInstanceOf(QueenHttp.Failure.class);
    queen.adminPost("/api/v1/system/maintenance", Map.of("enabled", false));
    queen.push("orders", "d");
    // when
    JsonNode popOn = queen.adminPost("/api/v1/system/maintenance/pop", Map.of("enabled", true));
    // then
    assertThat(popOn.get("popMaintenanceMode").asBoolean()).isTrue();
    assertThat(queen.pop(Pop.queue("orders"))).isEmpty();
    queen.adminPost("/api/v1/system/maintenance/pop", Map.of("enabled", false));
    assertThat(
            queen.admin("/api/v1/system/maintenance/pop").get("popMaintenanceMode").asBoolean(true))
        .isFalse();
    assertThat(queen.pop(Pop.queue("orders"))).hasSize(1);
  }
}
