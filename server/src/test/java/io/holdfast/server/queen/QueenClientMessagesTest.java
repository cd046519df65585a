package io.holdfast.server.queen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.server.queen.QueenClient.Pop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Queen's client pushes, pops and consumes. */
class QueenClientMessagesTest extends QueenClientFixture {
  @Test
  void shouldCreateAndDeleteQueues() {
    // when
    JsonNode made = queen.create("orders", "shop", "bill", Map.of("leaseTime", 60));
    // then
    assertThat(made.get("configured").asBoolean()).isTrue();
    assertThat(made.get("queue").asString()).isEqualTo("orders");
    assertThat(made.get("namespace").asString()).isEqualTo("shop");
    assertThat(made.get("task").asString()).isEqualTo("bill");
    JsonNode options = made.get("options");
    assertThat(options.get("leaseTime").asInt()).isEqualTo(60);
    assertThat(options.get("completedRetentionSeconds").asInt(-9)).isZero();
    assertThat(options.get("encryptionEnabled").asBoolean(true)).isFalse();
    assertThat(queen.create("", Map.of()).get("configured").asBoolean()).isTrue();
    JsonNode kept =
        queen.create("kept", Map.of("retentionEnabled", true, "completedRetentionSeconds", 60));
    assertThat(kept.at("/options/retentionEnabled").asBoolean()).isTrue();
    // when
    JsonNode deleted = queen.delete("orders");
    // then
    assertThat(deleted.get("deleted").asBoolean()).isTrue();
    assertThat(queen.delete("never made").get("existed").asBoolean(true)).isFalse();
  }

  @Test
  void shouldPushAndNameDuplicates() {
    // when
    Map<String, @Nullable Object> traced = QueenClient.item(Map.of("a", 1), "t1");
    traced.put("traceId", "0f8fad5b-d9cb-469f-a165-70867728950e");
    JsonNode pushed =
        queen.pushItems(
            "orders",
            "p",
            traced,
            QueenClient.item(null, null),
            QueenClient.item(List.of(1, 2), "t2"));
    // Its answer got lost, so the client sends all of it again.
    JsonNode again = queen.pushItems("orders", "p", traced, QueenClient.item(List.of(1, 2), "t2"));
    // then
    assertThat(texts(pushed, "status")).containsExactly("queued", "queued", "queued");
    assertThat(texts(again, "status")).containsExactly("duplicate", "duplicate");
    assertThat(again.at("/0/message_id")).isEqualTo(pushed.at("/0/message_id"));
    assertThat(again.at("/1/message_id")).isEqualTo(pushed.at("/2/message_id"));
    List<JsonNode> popped = queen.pop(Pop.queue("orders").partition("p").batch(10, 1));
    assertThat(popped).hasSize(3);
    JsonNode first = popped.getFirst();
    assertThat(first.get("traceId").asString()).isEqualTo("0f8fad5b-d9cb-469f-a165-70867728950e");
    assertThat(first.get("data")).isEqualTo(JSON.readTree("{\"a\":1}"));
    assertThat(popped.get(1).get("data").isNull()).isTrue();
    for (String field : List.of("id", "transactionId", "partitionId", "leaseId", "createdAt")) {
      assertThat(first.get(field).asString()).as(field).isNotEmpty();
    }
    assertThat(first.get("createdAt").asString()).matches("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z");
  }

  @Test
  void shouldTakePayloadsOfFourMebibytes() {
    char[] text = new char[4 * 1024 * 1024 - 2];
    Arrays.fill(text, 'x');
    // when
    queen.pushItems("large", "Default", QueenClient.item(new String(text), "large"));
    // then
    List<JsonNode> popped = queen.pop(Pop.queue("large"));
    assertThat(popped.getFirst().get("data").asString()).hasSize(text.length);
    assertThat(queen.ack(popped.getFirst(), "completed", null, null).success()).isTrue();
    assertThatThrownBy(
            () ->
                queen.pushItems(
                    "large", "Default", QueenClient.item("xxx" + new String(text), "no")))
        .isInstanceOf(QueenHttp.Failure.class);
  }

  @Test
  void shouldPopAndAckOneByOne() {
    // given
    queen.push("orders", "a", "b");
    // when
    List<JsonNode> first = queen.pop(Pop.queue("orders"));
    List<JsonNode> locked = queen.pop(Pop.queue("orders"));
    QueenClient.Acked acked = queen.ack(first.getFirst(), "completed", null, null);
    List<JsonNode> second = queen.pop(Pop.queue("orders"));
    // then
    assertThat(names(first)).isEqualTo("a");
    assertThat(locked).isEmpty();
    assertThat(acked.success()).isTrue();
    assertThat(acked.results().getFirst().get("leaseReleased").asBoolean()).isTrue();
    assertThat(names(second)).isEqualTo("b");
  }

  /** A pop with autoAck has nothing left to ack. */
  @Test
  void shouldSettleAtDelivery() {
    // given
    queen.push("orders", "a");
    // when
    List<JsonNode> popped = queen.pop(Pop.queue("orders").autoAck());
    // then
    assertThat(names(popped)).isEqualTo("a");
    assertThat(popped.getFirst().get("leaseId").asString()).isEmpty();
    advanceSeconds(301);
    assertThat(queen.pop(Pop.queue("orders"))).isEmpty();
  }

  @Test
  void shouldTakeFromSeveralPartitionsUnderOneLease() {
    // given
    for (String partition : List.of("p1", "p2", "p 3")) {
      queen.pushItems("my orders", partition, QueenClient.item(1, partition));
    }
    // when
    List<JsonNode> popped = queen.pop(Pop.queue("my orders").batch(10, 3));
    // then
    assertThat(popped).hasSize(3);
    assertThat(popped.stream().map(message -> message.get("leaseId")).distinct()).hasSize(1);
    assertThat(popped.stream().map(message -> message.get("partitionId")).distinct()).hasSize(3);
    assertThat(queen.ack(popped, "completed", null, null).success()).isTrue();
    queen.pushItems("my orders", "p 3", QueenClient.item(1, "again"));
    assertThat(names(queen.pop(Pop.queue("my orders").partition("p 3")))).isEqualTo("again");
  }

  @Test
  void shouldPopByNamespaceAndTask() {
    // given
    queen.create("shop.mail", "shop", "mail", Map.of());
    queen.push("shop.mail", "a", "b");
    // then
    assertThat(names(queen.pop(Pop.queue(null).tags("shop", null)))).isEqualTo("a");
    List<JsonNode> other = queen.pop(Pop.queue("").tags("shop", "mail").group("g"));
    assertThat(names(other)).isEqualTo("a");
    // Beside a queue they are sent as well.
    List<JsonNode> named = queen.pop(Pop.queue("shop.mail").tags("shop", "mail").group("h"));
    assertThat(names(named)).isEqualTo("a");
    assertThat(queen.pop(Pop.queue(null))).isEmpty();
  }

  @Test
  void shouldConsumeBatchesUntilNothingIsLeft() {
    // given
    for (int i = 0; i < 25; i++) {
      queen.pushItems("orders", "Default", QueenClient.item(i, "t" + i + ","));
    }
    List<Integer> sizes = new ArrayList<>();
    // when
    List<JsonNode> all =
        queen.consume(
            Pop.queue("orders").batch(10, 1),
            messages -> {
              sizes.add(messages.size());
              return true;
            });
    // then
    assertThat(sizes).containsExactly(10, 10, 5);
    assertThat(all.stream().map(message -> message.get("data").asInt()))
        .containsExactlyElementsOf(java.util.stream.IntStream.range(0, 25).boxed().toList());
    assertThat(queen.consume(Pop.queue("orders").autopilot(), messages -> true)).isEmpty();
  }

  @Test
  void shouldLeaveSizesToTheServer() {
    queen.push("orders", "a", "b", "c");
    assertThat(names(queen.consume(Pop.queue("orders").autopilot(), messages -> true)))
        .isEqualTo("abc");
  }

  @Test
  void shouldWakeALongPollByAPush() {
    // given
    CompletableFuture<List<JsonNode>> waiting = parked(Pop.queue("orders").waiting(30_000));
    // when
    queen.push("orders", "a");
    // then
    assertThat(names(waiting.join())).isEqualTo("a");
  }

  @Test
  void shouldEndALongPollEmpty() {
    // given
    CompletableFuture<List<JsonNode>> waiting = parked(Pop.queue("orders").waiting(30_000));
    // when
    advanceSeconds(31);
    // then
    assertThat(waiting.join()).isEmpty();
  }
}
