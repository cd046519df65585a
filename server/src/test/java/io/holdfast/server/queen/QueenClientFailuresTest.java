package io.holdfast.server.queen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.server.queen.QueenClient.Acked;
import io.holdfast.server.queen.QueenClient.Pop;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Handlers fail, leases end, servers go away: what Queen's client does then. */
class QueenClientFailuresTest extends QueenClientFixture {
  private List<JsonNode> popAgain(String queue) {
    advanceSeconds(31);
    return queen.pop(Pop.queue(queue).batch(10, 1));
  }

  @Test
  void shouldRetryANackedMessageAndThenBuryIt() {
    // given
    queen.create("orders", Map.of("retryLimit", 2));
    queen.push("orders", "a");
    List<Integer> attempts = new ArrayList<>();
    // when
    List<JsonNode> popped = queen.pop(Pop.queue("orders"));
    boolean dlq = false;
    while (!popped.isEmpty()) {
      attempts.add(popped.getFirst().path("deliveryAttempt").asInt());
      Acked acked = queen.ack(popped.getFirst(), "failed", null, "broken");
      assertThat(acked.success()).isTrue();
      dlq = acked.results().getFirst().get("dlq").asBoolean();
      popped = popAgain("orders");
    }
    // then
    assertThat(attempts).containsExactly(1, 2, 3);
    assertThat(dlq).isTrue();
    List<JsonNode> dead = queen.deadLetters("orders", null, 100, 0);
    assertThat(names(dead)).isEqualTo("a");
    assertThat(dead.getFirst().get("errorMessage").asString()).isEqualTo("broken");
    assertThat(dead.getFirst().get("data")).isEqualTo(JSON.readTree("{\"name\":\"a\"}"));
    assertThat(dead.getFirst().get("retryCount").asInt()).isEqualTo(3);
    for (String field : List.of("id", "partitionId", "queue", "partition", "failedAt")) {
      assertThat(dead.getFirst().get(field).asString()).as(field).isNotEmpty();
    }
    assertThat(queen.deadLetters("orders", "other", 100, 0)).isEmpty();
    assertThat(queen.deadLetters("orders", null, 100, 1)).isEmpty();
  }

  /** Its own server loses the first message of a batch that is nacked for the last time. */
  @Test
  void shouldBuryAllOfABatchThatIsNacked() {
    // given
    queen.create("orders", Map.of("retryLimit", 1));
    queen.push("orders", "a", "b", "c");
    // when
    List<JsonNode> first = queen.pop(Pop.queue("orders").batch(10, 1));
    Acked nacked = queen.ack(first, "failed", null, "no");
    List<JsonNode> second = popAgain("orders");
    Acked dead = queen.ack(second, "failed", null, "no");
    // then
    assertThat(nacked.success()).isTrue();
    assertThat(names(second)).isEqualTo("abc");
    assertThat(dead.results()).allMatch(result -> result.get("dlq").asBoolean());
    assertThat(names(queen.deadLetters("orders", null, 100, 0))).isEqualTo("abc");
    assertThat(popAgain("orders")).isEmpty();
  }

  @Test
  void shouldGiveBackWhatWasNotStarted() {
    // given
    queen.push("orders", "a", "b");
    List<JsonNode> popped = queen.pop(Pop.queue("orders").batch(2, 1));
    // when
    Acked released = queen.ack(popped, "retry", null, null);
    List<JsonNode> again = queen.pop(Pop.queue("orders").batch(2, 1));
    // then
    assertThat(released.success()).isTrue();
    assertThat(names(again)).isEqualTo("ab");
    assertThat(again.getFirst().path("retryCount").asInt(-1)).isZero();
  }

  @Test
  void shouldBuryAtOnce() {
    queen.push("orders", "a");
    Acked acked = queen.ack(queen.pop(Pop.queue("orders")).getFirst(), "dlq", null, "poison");
    assertThat(acked.results().getFirst().get("dlq").asBoolean()).isTrue();
    assertThat(queen.deadLetters("orders", null, 10, 0).getFirst().get("errorMessage").asString())
        .isEqualTo("poison");
  }

  @Test
  void shouldRefuseAnAckOfALeaseThatExpired() {
    // given
    queen.create("orders", Map.of("leaseTime", 30));
    queen.push("orders", "a");
    JsonNode late = queen.pop(Pop.queue("orders")).getFirst();
    advanceSeconds(31);
    JsonNode other = queen.pop(Pop.queue("orders")).getFirst();
    // when
    Acked single = queen.ack(late, "completed", null, null);
    Acked batch = queen.ack(List.of(late), "completed", null, null);
    // then
    assertThat(single.success()).isFalse();
    assertThat(single.error()).isNotBlank();
    assertThat(batch.success()).isFalse();
    assertThat(queen.ack(other, "completed", null, null).success()).isTrue();
  }

  @Test
  void shouldRenewALeaseWhileTheHandlerRuns() {
    // given
    queen.create("orders", Map.of("leaseTime", 30));
    queen.push("orders", "a", "b");
    List<JsonNode> popped = queen.pop(Pop.queue("orders").batch(2, 1));
    // when
    for (int i = 0; i < 5; i++) {
      advanceSeconds(20);
      assertThat(queen.renew(popped)).hasSize(1).allMatch(time -> time.startsWith("2026-01-01T"));
    }
    // then
    assertThat(queen.pop(Pop.queue("orders"))).isEmpty();
    assertThat(queen.ack(popped, "completed", null, null).success()).isTrue();
  }

  @Test
  void shouldThrowWithTheServersText() {
    assertThatThrownBy(() -> http.post("/api/v1/push", Map.of("items", 7)))
        .isInstanceOf(QueenHttp.Failure.class)
        .hasMessageContaining("items");
    assertThatThrownBy(() -> http.get("/api/v1/resources/queues/none"))
        .hasMessageContaining("none")
        .satisfies(thrown -> assertThat(((QueenHttp.Failure) thrown).status()).isEqualTo(404));
    // 4xx is not repeated.
    assertThat(http.requests()).isEqualTo(2);
  }

  @Test
  void shouldGoToAnotherServerIfOneIsAway() throws IOException {
    // given
    int closed;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = socket.getLocalPort();
    }
    QueenHttp several = new QueenHttp("http://127.0.0.1:" + closed, url());
    QueenClient client = new QueenClient(several);
    // when
    client.push("orders", "a");
    List<JsonNode> popped = client.pop(Pop.queue("orders").group("g"));
    // then
    assertThat(names(popped)).isEqualTo("a");
    assertThat(several.requests()).isGreaterThan(2);
  }

  @Test
  void shouldPushAgainWhileAQueueIsFull() {
    // given
    queen.create("orders", Map.of("maxSize", 1));
    queen.push("orders", "a");
    QueenHttp patient =
        new QueenHttp(url())
            .repeating(() -> queen.ack(queen.pop(Pop.queue("orders")), "completed", null, null));
    // when
    JsonNode pushed = new QueenClient(patient).push("orders", "b");
    // then
    assertThat(pushed.at("/0/status").asString()).isEqualTo("queued");
    assertThat(patient.requests()).isEqualTo(2);
    assertThat(names(queen.pop(Pop.queue("orders")))).isEqualTo("b");
  }

  @Test
  void shouldAnswerStreamsThatTheyAreNotThere() {
    for (String path : List.of("queries", "state/get", "cycle")) {
      assertThatThrownBy(() -> http.post("/streams/v1/" + path, Map.of("query_id", "q")))
          .satisfies(thrown -> assertThat(((QueenHttp.Failure) thrown).status()).isEqualTo(404))
          .hasMessageContaining("no such route");
    }
  }

  @Test
  void shouldTakeHeadersOfItsUser() {
    QueenClient client =
        new QueenClient(
            new QueenHttp(url())
                .header("Authorization", "Bearer a.jwt.token")
                .header("x-queen-tenant", "00000000-0000-0000-0000-000000000001")
                .header("x-api-key", "k"));
    client.push("orders", "a");
    assertThat(names(client.pop(Pop.queue("orders")))).isEqualTo("a");
  }
}
