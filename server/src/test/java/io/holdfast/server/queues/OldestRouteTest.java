package io.holdfast.server.queues;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.queen.QueenSteps;
import org.junit.jupiter.api.Test;

/** The oldest waiting message of a queue. */
class OldestRouteTest extends QueenSteps {
  private static final String PATH = "/api/v1/queues/orders/oldest";

  @Test
  void shouldShowTheOldestOfAllPartitionsAndLanes() {
    // given
    String oldest =
        post(
                "/api/v1/push",
                "{'items':[{'queue':'orders','partition':'p2','priority':5,'transactionId':'old',"
                    + "'payload':1}]}")
            .expect(201)
            .text("/0/message_id");
    advanceSeconds(60);
    push("orders", "p1", "a");
    push("orders", "p2", "b");
    // when
    Reply reply = get(PATH).expect(200);
    // then
    assertThat(reply.text("/message/id")).isEqualTo(oldest);
    assertThat(reply.text("/message/transactionId")).isEqualTo("old");
    assertThat(reply.text("/message/partition")).isEqualTo("p2");
    assertThat(reply.text("/message/createdAt")).isEqualTo("2026-01-01T00:00:00.000Z");
    assertThat(reply.number("/message/ageSeconds")).isEqualTo(60);
    assertThat(reply.json().at("/complete").asBoolean()).isTrue();
  }

  @Test
  void shouldLeaveOutLeasedMessagesForThatGroupOnly() {
    // given
    push("orders", "p", "a");
    push("orders", "p", "b");
    // when
    pop("orders", "").expect(200);
    // then
    assertThat(get(PATH).expect(200).text("/message/transactionId")).isEqualTo("b");
    assertThat(get(PATH + "?consumerGroup=audit").expect(200).text("/message/transactionId"))
        .isEqualTo("a");
  }

  @Test
  void shouldAnswerNullWhenNothingWaits() {
    // given
    push("orders", "p", "a");
    pop("orders", "").expect(200);
    // when
    Reply reply = get(PATH).expect(200);
    // then
    assertThat(reply.json().at("/message").isNull()).isTrue();
    assertThat(reply.text("/queue")).isEqualTo("orders");
  }

  @Test
  void shouldRefuseAnAbsentQueue() {
    assertThat(get(PATH).expect(404).text("/error")).isEqualTo("there is no queue orders");
  }
}
