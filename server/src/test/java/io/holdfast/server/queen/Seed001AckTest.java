package io.holdfast.server.queen;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the document on acknowledgement promises of ack, nack and their errors. */
class Seed001AckTest extends QueenSteps {
  private Reply batch(String more, String... items) {
    return post(
            "/api/v1/ack/batch",
            "{'acknowledgments':[" + String.join(",", items) + "]" + more + "}")
        .expect(200);
  }

  @Test
  void shouldFollowTheAckFlow() {
    // given
    push("orders", "p1", "tx-123");
    // when: 1, the consumer receives the message with a lease
    Reply popped = pop("orders", "consumerGroup=workers").expect(200);
    // then
    assertThat(popped.text("/messages/0/messageId")).isNotEmpty();
    assertThat(popped.text("/messages/0/transactionId")).isEqualTo("tx-123");
    assertThat(popped.text("/messages/0/partitionId")).isNotEmpty();
    assertThat(popped.text("/messages/0/leaseId")).isEqualTo(popped.text("/leaseId")).isNotEmpty();
    assertThat(popped.text("/messages/0/data/n")).isEqualTo("tx-123");
    // when: 3 to 7, it acknowledges
    restart();
    Reply acked = settle(popped, 0, ",'status':'completed'");
    // then
    assertThat(acked.flag("/success")).isTrue();
    assertThat(acked.text("/message")).isEqualTo("acknowledged");
    restart();
    pop("orders", "consumerGroup=workers").expect(204);
    // and the message is retained
    assertThat(
            get("/api/v1/messages?queue=orders&consumerGroup=workers").text("/messages/0/status"))
        .isEqualTo("completed");
  }

  @Test
  void shouldFollowTheNackFlow() {
    // given
    configure("orders", "retryLimit", 1);
    push("orders", "p1", "tx-123");
    Reply popped = pop("orders", "consumerGroup=workers").expect(200);
    // when
    Reply nacked =
        settle(popped, 0, ",'status':'failed','error':'Processing failed: invalid data'");
    // then
    assertThat(nacked.flag("/success")).isTrue();
    assertThat(nacked.text("/message")).isEqualTo("failed_retry");
    assertThat(nacked.number("/retryCount")).isEqualTo(1);
    // when
    restart();
    advanceSeconds(1);
    Reply again = pop("orders", "consumerGroup=workers&wait=true").expect(200);
    // then
    assertThat(again.number("/messages/0/retryCount")).isEqualTo(1);
    Reply dead = settle(again, 0, ",'status':'failed','error':'again'");
    assertThat(dead.flag("/success")).isTrue();
    assertThat(dead.text("/message")).isEqualTo("failed_dlq");
    assertThat(dead.flag("/dlq")).isTrue();
  }

  @Test
  void shouldLoseAMessageOfAnAutoAckPopOnlyToItsConsumer() {
    // given
    for (int i = 0; i < 12; i++) {
      push("events", "p1", "e" + i);
    }
    // when
    Reply popped = pop("events", "autoAck=true&batch=10").expect(200);
    // then
    assertThat(names(popped)).hasSize(10);
    assertThat(popped.text("/leaseId")).isEmpty();
    restart();
    assertThat(names(pop("events", "autoAck=true&batch=10").expect(200)))
        .containsExactly("e10", "e11");
  }

  @Test
  void shouldTellTheSameNameInTwoPartitionsApart() {
    // given
    push("orders", "A", "tx-123");
    push("orders", "B", "tx-123");
    Reply popped = pop("orders", "batch=2&partitions=2").expect(200);
    assertThat(popped.number("/partitionsClaimed")).isEqualTo(2);
    // when
    settle(popped, 0, "");
    // then
    String other = popped.text("/messages/1/partition");
    assertThat(get("/api/v1/messages?queue=orders&status=processing").text("/messages/0/partition"))
        .isEqualTo(other);
    assertThat(names(get("/api/v1/messages?queue=orders&status=completed")))
        .containsExactly("tx-123");
  }

  @Test
  void shouldSayThatPartitionIdIsRequired() {
    Reply one = post("/api/v1/ack", "{'transactionId':'tx-1','status':'completed'}").expect(400);
    assertThat(one.text("/error"))
        .isEqualTo("partitionId is required to ensure message uniqueness");
    Reply many =
        post("/api/v1/ack/batch", "{'acknowledgments':[{'transactionId':'tx-1'}]}").expect(400);
    assertThat(many.text("/error"))
        .endsWith("partitionId is required to ensure message uniqueness");
  }

  @Test
  void shouldRefuseALeaseThatExpiredAndRedeliver() {
    // given
    configure("orders", "leaseTime", 300);
    push("orders", "p1", "tx-1");
    Reply late = pop("orders", "").expect(200);
    advanceSeconds(300);
    eventually(() -> assertThat(broker.stats().orThrow().leases()).isZero());
    // when
    Reply refused = settle(late, 0, "");
    // then
    assertThat(refused.flag("/success")).isFalse();
    assertThat(refused.text("/message")).isEqualTo("invalid_lease");
    assertThat(refused.text("/error")).isEqualTo("Lease validation failed");
    restart();
    assertThat(settle(late, 0, "").text("/message")).isEqualTo("invalid_lease");
    Reply again = pop("orders", "").expect(200);
    assertThat(names(again)).containsExactly("tx-1");
    assertThat(settle(late, 0, "").text("/message")).isEqualTo("invalid_lease");
    assertThat(settle(again, 0, "").text("/message")).isEqualTo("acknowledged");
  }

  @Test
  void shouldRefuseALeaseThatIsWrong() {
    // given
    push("orders", "p1", "tx-1");
    Reply popped = pop("orders", "").expect(200);
    // when
    Reply wrong =
        post(
                "/api/v1/ack",
                "{'transactionId':'tx-1','partitionId':'%s','leaseId':'AAAAAAAAAAA'}"
                    .formatted(popped.text("/partitionId")))
            .expect(200);
    // then
    assertThat(wrong.text("/message")).isEqualTo("invalid_lease");
    assertThat(settle(popped, 0, "").text("/message")).isEqualTo("acknowledged");
  }

  @Test
  void shouldNotFindWhatIsAcknowledgedOrUnknown() {
    // given
    push("orders", "p1", "tx-1");
    Reply popped = pop("orders", "").expect(200);
    settle(popped, 0, "");
    // then
    Reply twice = settle(popped, 0, "");
    assertThat(twice.flag("/success")).isFalse();
    assertThat(twice.text("/message")).isEqualTo("not_found");
    assertThat(twice.flag("/noop")).isTrue();
    restart();
    assertThat(settle(popped, 0, "").text("/message")).isEqualTo("not_found");
    Reply unknown =
        post(
                "/api/v1/ack",
                "{'transactionId':'other','partitionId':'%s'}"
                    .formatted(popped.text("/partitionId")))
            .expect(200);
    assertThat(unknown.text("/message")).isEqualTo("not_found");
    Reply elsewhere =
        post("/api/v1/ack", "{'transactionId':'tx-1','partitionId':'987654'}").expect(200);
    assertThat(elsewhere.text("/message")).isEqualTo("not_found");
  }

  @Test
  void shouldAckABatchOverPartitionsInOneStep() {
    // given
    push("orders", "p1", "tx-1");
    push("orders", "p2", "tx-2");
    push("orders", "p3", "tx-3");
    Reply popped = pop("orders", "consumerGroup=workers&batch=3&partitions=3").expect(200);
    // when: as the example does, without leases but with the group
    String[] items = new String[3];
    for (int i = 0; i < 3; i++) {
      items[i] =
          "{'transactionId':'%s','partitionId':'%s','status':'%s','error':'Validation error'}"
              .formatted(
                  popped.text("/messages/" + i + "/transactionId"),
                  popped.text("/messages/" + i + "/partitionId"),
                  i == 2 ? "failed" : "completed");
    }
    Reply acked = batch(",'consumerGroup':'workers'", items);
    // then
    assertThat(texts(acked, "", "/message"))
        .containsExactly("acknowledged", "acknowledged", "failed_retry");
    restart();
    assertThat(get("/api/v1/resources/queues/orders/depth?group=workers").number("/pending"))
        .isEqualTo(1);
  }

  @Test
  void shouldApplyAllOfABatchOrNone() {
    // given
    push("orders", "p1", "tx-1");
    push("orders", "p1", "tx-2");
    Reply popped = pop("orders", "batch=2").expect(200);
    String wrong = item(popped, 1, "").replace("tx-2", "tx-9");
    // when
    Reply refused = batch("", item(popped, 0, ""), wrong);
    // then
    assertThat(texts(refused, "", "/message")).containsExactly("not_applied", "not_found");
    assertThat(texts(refused, "", "/success")).containsOnly("false");
    // when
    Reply apart = batch(",'atomic':false", item(popped, 0, ""), wrong);
    // then
    assertThat(texts(apart, "", "/message")).containsExactly("acknowledged", "not_found");
    restart();
    assertThat(settle(popped, 1, "").text("/message")).isEqualTo("acknowledged");
  }

  @Test
  void shouldRefuseABatchWithAStaleLeaseWhole() {
    // given
    push("orders", "p1", "tx-1");
    push("orders", "p2", "tx-2");
    Reply late = pop("orders", "leaseSeconds=10").expect(200);
    Reply live = pop("orders", "leaseSeconds=60").expect(200);
    advanceSeconds(10);
    eventually(() -> assertThat(broker.stats().orThrow().leases()).isEqualTo(1));
    // when
    Reply refused = batch("", item(live, 0, ""), item(late, 0, ""));
    // then
    assertThat(texts(refused, "", "/message")).containsExactly("not_applied", "invalid_lease");
    assertThat(settle(live, 0, "").text("/message")).isEqualTo("acknowledged");
  }

  @Test
  void shouldPushBackWithADelayUnderAnotherName() {
    // given: the example of a rate limit
    push("rate-limited", "p1", "call");
    Reply popped = pop("rate-limited", "").expect(200);
    post(
            "/api/v1/push",
            "{'items':[{'queue':'rate-limited','partition':'p1','payload':1,"
                + "'transactionId':'call-retry','delaySeconds':60}]}")
        .expect(201);
    settle(popped, 0, "");
    // then
    advanceSeconds(59);
    pop("rate-limited", "").expect(204);
    restart();
    advanceSeconds(1);
    assertThat(names(pop("rate-limited", "wait=true").expect(200))).containsExactly("call-retry");
  }
}
