package io.holdfast.server.queen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.server.queen.QueenClient.Pop;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Queen's client acks and pushes in one transaction. */
class QueenClientTransactionsTest extends QueenClientFixture {
  @Test
  void shouldAckAndPushTogether() {
    // given
    queen.push("in", "a", "b");
    List<JsonNode> popped = queen.pop(Pop.queue("in").batch(2, 1));
    // when
    JsonNode done =
        queen
            .transaction()
            .ack(popped.get(0), "completed", null)
            .ack(popped.get(1), "completed", null)
            .push("out", null, Map.of("n", 1), null)
            .push("out", "p", Map.of("n", 2), "named")
            .commit();
    // then
    assertThat(done.get("transactionId").asString()).isNotEmpty();
    assertThat(texts(done.get("results"), "type")).containsExactly("ack", "ack", "push", "push");
    assertThat(done.at("/results/2/messageId").asString()).isNotEmpty();
    assertThat(queen.pop(Pop.queue("in"))).isEmpty();
    assertThat(queen.pop(Pop.queue("out").batch(10, 10))).hasSize(2);
  }

  @Test
  void shouldAckForAGroup() {
    queen.push("in", "a");
    JsonNode popped = queen.pop(Pop.queue("in").group("g")).getFirst();
    queen.transaction().ack(popped, "completed", "g").push("out", null, 1, null).commit();
    assertThat(queen.pop(Pop.queue("in").group("g"))).isEmpty();
    assertThat(queen.pop(Pop.queue("out"))).hasSize(1);
  }

  @Test
  void shouldDoNothingIfALeaseIsOver() {
    // given
    queen.create("in", Map.of("leaseTime", 30));
    queen.push("in", "a");
    JsonNode late = queen.pop(Pop.queue("in")).getFirst();
    advanceSeconds(31);
    JsonNode other = queen.pop(Pop.queue("in")).getFirst();
    // then
    assertThatThrownBy(
            () ->
                queen
                    .transaction()
                    .ack(late, "completed", null)
                    .push("out", null, 1, null)
                    .commit())
        .isInstanceOf(QueenHttp.Failure.class);
    assertThat(queen.pop(Pop.queue("out"))).isEmpty();
    assertThat(queen.ack(other, "completed", null, null).success()).isTrue();
  }

  @Test
  void shouldDoNothingIfAMessageWasPushedBefore() {
    // given
    queen.push("in", "a");
    queen.push("out", "once");
    JsonNode popped = queen.pop(Pop.queue("in")).getFirst();
    // then
    assertThatThrownBy(
            () ->
                queen
                    .transaction()
                    .ack(popped, "completed", null)
                    .push("out", null, 1, "once")
                    .commit())
        .isInstanceOf(QueenHttp.Failure.class);
    assertThat(queen.ack(popped, "completed", null, null).success()).isTrue();
  }

  /** Its own server dead-letters at once what a transaction nacks. */
  @Test
  void shouldNackWithinARetryBudget() {
    queen.push("in", "a");
    JsonNode popped = queen.pop(Pop.queue("in")).getFirst();
    queen.transaction().ack(popped, "failed", null).push("errors", null, 1, null).commit();
    advanceSeconds(31);
    assertThat(names(queen.pop(Pop.queue("in")))).isEqualTo("a");
  }
}
