package io.holdfast.server.queen;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.queen.QueenClient.Acked;
import io.holdfast.server.queen.QueenClient.Pop;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Queen's client consumes in groups, from where it says. */
class QueenClientGroupsTest extends QueenClientFixture {
  private List<JsonNode> consume(Pop pop) {
    return queen.consume(pop.batch(10, 10), messages -> true);
  }

  @Test
  void shouldGiveEachGroupEverything() {
    // given
    queen.create("orders", Map.of());
    queen.push("orders", "a", "b", "c");
    // then
    assertThat(names(consume(Pop.queue("orders").group("billing")))).isEqualTo("abc");
    assertThat(names(consume(Pop.queue("orders").group("shipping")))).isEqualTo("abc");
    assertThat(names(consume(Pop.queue("orders")))).isEqualTo("abc");
    assertThat(consume(Pop.queue("orders").group("billing"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"all", "from_beginning", "earliest"})
  void shouldShowALateGroupWhatOthersHaveSettled(String mode) {
    // given
    queen.create("orders", Map.of());
    queen.push("orders", "a", "b");
    consume(Pop.queue("orders").group("first"));
    advanceSeconds(48 * 3600);
    // when
    List<JsonNode> late = consume(Pop.queue("orders").group("late").subscription(mode, null));
    // then
    assertThat(names(late)).isEqualTo("ab");
  }

  @Test
  void shouldBeginWithWhatIsNew() {
    // given
    queen.push("orders", "a");
    // then
    Pop fresh = Pop.queue("orders").group("fresh").subscription("new", null);
    Pop now = Pop.queue("orders").group("now").subscription(null, "now");
    assertThat(consume(fresh)).isEmpty();
    assertThat(consume(now)).isEmpty();
    queen.push("orders", "b");
    assertThat(names(consume(fresh))).isEqualTo("b");
    assertThat(names(consume(now))).isEqualTo("b");
  }

  @Test
  void shouldBeginAtATime() {
    // given
    queen.push("orders", "a");
    advanceSeconds(60);
    queen.push("orders", "b");
    // then
    Pop timed = Pop.queue("orders").group("timed").subscription(null, "2026-01-01T00:00:30.000Z");
    assertThat(names(consume(timed))).isEqualTo("b");
  }

  @Test
  void shouldAckForAGroupWithoutALease() {
    // given
    queen.push("orders", "a", "b");
    JsonNode popped = queen.pop(Pop.queue("orders").group("g")).getFirst();
    // when
    Acked acked =
        queen.ack(
            JSON.readTree(
                "{\"transactionId\":\"%s\",\"partitionId\":\"%s\"}"
                    .formatted(
                        popped.get("transactionId").asString(),
                        popped.get("partitionId").asString())),
            "completed",
            "g",
            null);
    // then
    assertThat(acked.success()).isTrue();
    assertThat(names(queen.pop(Pop.queue("orders").group("g")))).isEqualTo("b");
  }

  @Test
  void shouldWakeTheLongPollsOfAllGroups() {
    // given
    CompletableFuture<List<JsonNode>> one =
        parked(Pop.queue("orders").group("one").waiting(30_000));
    CompletableFuture<List<JsonNode>> two =
        parked(Pop.queue("orders").group("two").waiting(30_000));
    // when
    queen.push("orders", "a");
    // then
    assertThat(names(one.join())).isEqualTo("a");
    assertThat(names(two.join())).isEqualTo("a");
  }

  @Test
  void shouldListAndSeekAndDeleteGroups() {
    // given
    queen.create("orders", Map.of());
    queen.push("orders", "a", "b");
    consume(Pop.queue("orders").group("billing"));
    // then
    JsonNode groups = queen.admin("/api/v1/consumer-groups");
    assertThat(groups.findValuesAsString("name")).contains("billing");
    JsonNode group = queen.admin("/api/v1/consumer-groups/billing");
    assertThat(group.at("/orders/partitions").size()).isEqualTo(1);
    assertThat(queen.admin("/api/v1/consumer-groups/lagging?minLagSeconds=60").isArray()).isTrue();
    // when
    JsonNode sought =
        queen.adminPost(
            "/api/v1/consumer-groups/billing/queues/orders/seek",
            Map.of("timestamp", "2026-01-01T00:00:00.000Z"));
    // then
    assertThat(sought.get("success").asBoolean()).isTrue();
    assertThat(names(consume(Pop.queue("orders").group("billing")))).isEqualTo("ab");
    assertThat(
            queen
                .adminPost(
                    "/api/v1/consumer-groups/billing/queues/orders/seek", Map.of("toEnd", true))
                .get("seekToEnd")
                .asBoolean())
        .isTrue();
    JsonNode moved =
        queen.adminPost(
            "/api/v1/consumer-groups/billing/subscription",
            Map.of("subscriptionTimestamp", "2026-01-01T00:00:00.000Z"));
    assertThat(moved.get("success").asBoolean()).isTrue();
    JsonNode ofQueue =
        queen.adminDelete("/api/v1/consumer-groups/billing/queues/orders?deleteMetadata=true");
    assertThat(ofQueue.get("success").asBoolean()).isTrue();
    JsonNode gone = queen.adminDelete("/api/v1/consumer-groups/billing?deleteMetadata=true");
    assertThat(gone.get("success").asBoolean()).isTrue();
    assertThat(names(consume(Pop.queue("orders").group("billing")))).isEqualTo("ab");
  }
}
