package io.holdfast.server.queen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What the document on acknowledgement promises of leases, groups and dead letters. */
class Seed001LeaseTest extends QueenSteps {
  @Test
  void shouldDeliverAgainWhatACrashedConsumerHeld() {
    // given
    push("orders", "p1", "tx-1");
    pop("orders", "").expect(200);
    // when: the consumer is gone, and so is the server for a while
    restart();
    advanceSeconds(299);
    // then
    assertThat(pop("orders", "").expect(204).header("X-Holdfast-Reason")).isEqualTo("LOCKED");
    // when: five minutes are over
    advanceSeconds(1);
    Reply again = pop("orders", "wait=true").expect(200);
    // then
    assertThat(names(again)).containsExactly("tx-1");
    assertThat(again.number("/messages/0/deliveryAttempt")).isEqualTo(2);
    assertThat(again.number("/messages/0/retryCount")).isZero();
  }

  @Test
  void shouldReleaseTheLeaseWithTheLastAckOfTheBatch() {
    // given
    for (int i = 1; i <= 11; i++) {
      push("orders", "p1", "tx-" + i);
    }
    Reply popped = pop("orders", "batch=10").expect(200);
    // when
    for (int i = 0; i < 9; i++) {
      assertThat(settle(popped, i, "").flag("/success")).isTrue();
    }
    // then: the lease is still active
    assertThat(pop("orders", "").expect(204).header("X-Holdfast-Reason")).isEqualTo("LOCKED");
    // when
    restart();
    settle(popped, 9, "");
    // then: it is released, and the partition is free for the next consumer
    assertThat(broker.stats().orThrow().leases()).isZero();
    assertThat(names(pop("orders", "").expect(200))).containsExactly("tx-11");
  }

  @Test
  void shouldSettleEachMessageOfABatchByItself() {
    // given
    for (String name : List.of("a", "b", "c")) {
      push("orders", "p1", name);
    }
    Reply popped = pop("orders", "batch=3").expect(200);
    // when: only the last is acknowledged, and the lease runs out
    settle(popped, 2, "");
    advanceSeconds(300);
    // then: nothing before it was acknowledged along
    Reply again = pop("orders", "batch=3&wait=true").expect(200);
    assertThat(names(again)).containsExactly("a", "b");
  }

  @Test
  void shouldLetGroupsProgressIndependently() {
    // given
    for (int i = 98; i <= 101; i++) {
      push("user-events", "Default", "msg-" + i);
    }
    // when
    Reply mails = pop("user-events", "consumerGroup=email-sender&batch=3").expect(200);
    for (int i = 0; i < 3; i++) {
      settle(mails, i, "");
    }
    Reply analytics = pop("user-events", "consumerGroup=analytics").expect(200);
    settle(analytics, 0, "");
    restart();
    // then
    assertThat(names(pop("user-events", "consumerGroup=email-sender").expect(200)))
        .containsExactly("msg-101");
    assertThat(names(pop("user-events", "consumerGroup=analytics").expect(200)))
        .containsExactly("msg-99");
    assertThat(names(pop("user-events", "").expect(200))).containsExactly("msg-98");
  }

  @Test
  void shouldFailForOneGroupOnly() {
    // given
    push("user-events", "Default", "msg-1");
    bury("user-events", "email-sender", "no address");
    // then
    Reply analytics = pop("user-events", "consumerGroup=analytics").expect(200);
    assertThat(settle(analytics, 0, "").text("/message")).isEqualTo("acknowledged");
    assertThat(get("/api/v1/dlq?queue=user-events").text("/messages/0/consumerGroup"))
        .isEqualTo("email-sender");
  }

  @Test
  void shouldLetConsumersWithoutAGroupCompete() {
    // given
    push("tasks", "p1", "a");
    push("tasks", "p2", "b");
    // when
    Reply first = pop("tasks", "").expect(200);
    Reply second = pop("tasks", "").expect(200);
    // then
    assertThat(List.of(names(first).getFirst(), names(second).getFirst()))
        .containsExactlyInAnyOrder("a", "b");
    assertThat(first.text("/consumerGroup")).isEqualTo("__QUEUE_MODE__");
    pop("tasks", "").expect(204);
  }

  @Test
  void shouldBuryAMessageThatWaitedTooLong() {
    // given
    configure("time-sensitive", "maxWaitTimeSeconds", 3600, "deadLetterQueue", true);
    pop("time-sensitive", "consumerGroup=workers").expect(204);
    push("time-sensitive", "p1", "late");
    advanceSeconds(1800);
    push("time-sensitive", "p1", "in time");
    restart();
    // when
    advanceSeconds(1800);
    // then
    assertThat(names(pop("time-sensitive", "consumerGroup=workers").expect(200)))
        .containsExactly("in time");
    Reply dead = get("/api/v1/dlq?queue=time-sensitive").expect(200);
    assertThat(names(dead)).containsExactly("late");
    assertThat(dead.text("/messages/0/attempts/0/cause")).isEqualTo("waited_too_long");
    assertThat(dead.text("/messages/0/errorMessage")).contains("maxWaitTimeSeconds");
    assertThat(dead.number("/messages/0/retryCount")).isZero();
  }

  @Test
  void shouldReprocessADeadLetterAsTheDocumentDoes() {
    // given
    push("orders", "p1", "tx-1");
    bury("orders", "workers", "Processing failed: invalid data");
    Reply dead = get("/api/v1/dlq?queue=orders").expect(200);
    // when: its data is pushed anew under another name
    post(
            "/api/v1/push",
            "{'items':[{'queue':'orders','partition':'%s','payload':%s,'transactionId':'%s'}]}"
                .formatted(
                    dead.text("/messages/0/partition"),
                    dead.json().at("/messages/0/data"),
                    "reprocess-" + dead.text("/messages/0/transactionId")))
        .expect(201);
    // then
    Reply popped = pop("orders", "consumerGroup=workers").expect(200);
    assertThat(names(popped)).containsExactly("reprocess-tx-1");
    assertThat(popped.text("/messages/0/data/n")).isEqualTo("tx-1");
    assertThat(dead.text("/messages/0/errorMessage").split(":")[0]).isEqualTo("Processing failed");
  }

  @Test
  void shouldDropInsteadOfBuryWhereNoDeadLettersAreKept() {
    // given
    configure("logs", "retryLimit", 0, "deadLetterQueue", false, "dlqAfterMaxRetries", false);
    push("logs", "p1", "tx-1");
    // when
    Reply nacked = settle(pop("logs", "").expect(200), 0, ",'status':'failed'");
    // then
    assertThat(nacked.text("/message")).isEqualTo("failed_dropped");
    assertThat(get("/api/v1/dlq?queue=logs").number("/total")).isZero();
    pop("logs", "").expect(204);
  }
}
