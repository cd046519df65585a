package io.holdfast.server.queen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Dead letters as the routes list, requeue and remove them. */
class DeadLetterTest extends QueenSteps {
  private static final long DAY_S = 24 * 3600;

  private Reply list(String query) {
    return get("/api/v1/dlq?" + query).expect(200);
  }

  /** Fails a message once more; answers the word of the ack. */
  private String fail(String queue, String error) {
    Reply popped = pop(queue, "consumerGroup=workers&worker=w1").expect(200);
    String word = settle(popped, 0, ",'status':'failed','error':'" + error + "'").text("/message");
    advanceSeconds(30);
    return word;
  }

  @Test
  void shouldGoFromFailingToDeadToListedToRequeuedToDeliveredAgain() {
    // given
    configure("orders", "retryLimit", 3, "dlqAfterMaxRetries", true);
    String id = push("orders", "p1", "tx-123");
    push("orders", "p1", "tx-124");
    // when
    assertThat(fail("orders", "first")).isEqualTo("failed_retry");
    assertThat(fail("orders", "second")).isEqualTo("failed_retry");
    restart();
    assertThat(fail("orders", "third")).isEqualTo("failed_retry");
    assertThat(fail("orders", "Processing failed: invalid data")).isEqualTo("failed_dlq");
    restart();
    // then
    Reply listed = list("queue=orders&limit=50");
    assertThat(listed.number("/total")).isEqualTo(1);
    assertThat(listed.number("/limit")).isEqualTo(50);
    assertThat(listed.number("/offset")).isZero();
    assertThat(listed.number("/pagination/limit")).isEqualTo(50);
    assertThat(listed.json().at("/next").isNull()).isTrue();
    assertThat(listed.text("/messages/0/id")).isEqualTo(id);
    assertThat(listed.text("/messages/0/messageId")).isEqualTo(id);
    assertThat(listed.text("/messages/0/transactionId")).isEqualTo("tx-123");
    assertThat(listed.text("/messages/0/consumerGroup")).isEqualTo("workers");
    assertThat(listed.text("/messages/0/errorMessage"))
        .isEqualTo("Processing failed: invalid data");
    assertThat(listed.number("/messages/0/retryCount")).isEqualTo(4);
    assertThat(listed.text("/messages/0/originalCreatedAt")).isEqualTo("2026-01-01T00:00:00.000Z");
    assertThat(listed.text("/messages/0/createdAt")).isEqualTo("2026-01-01T00:00:00.000Z");
    assertThat(listed.text("/messages/0/movedToDlqAt")).isEqualTo("2026-01-01T00:01:30.000Z");
    assertThat(listed.text("/messages/0/failedAt")).isEqualTo("2026-01-01T00:01:30.000Z");
    assertThat(listed.text("/messages/0/queueName")).isEqualTo("orders");
    assertThat(listed.text("/messages/0/queue")).isEqualTo("orders");
    assertThat(listed.text("/messages/0/partition")).isEqualTo("p1");
    assertThat(listed.text("/messages/0/data/n")).isEqualTo("tx-123");
    assertThat(texts(listed, "/messages/0/attempts", "/error"))
        .containsExactly("first", "second", "third", "Processing failed: invalid data");
    assertThat(listed.text("/messages/0/attempts/0/worker")).isEqualTo("w1");
    // when
    Reply requeued =
        post("/api/v1/dlq/requeue", "{'queue':'orders','messageId':'" + id + "'}").expect(200);
    // then
    assertThat(requeued.number("/requeued")).isEqualTo(1);
    restart();
    assertThat(list("queue=orders").number("/total")).isZero();
    Reply again = pop("orders", "consumerGroup=workers&batch=10").expect(200);
    assertThat(names(again)).containsExactly("tx-123", "tx-124");
    assertThat(again.number("/messages/0/retryCount")).isZero();
    assertThat(settle(again, 0, "").text("/message")).isEqualTo("acknowledged");
  }

  @Test
  void shouldFindThemByGroupPartitionErrorAndDate() {
    // given: one that dies on each of three days, the first two long forgotten on the third
    push("orders", "p1", "a");
    bury("orders", "workers", "timeout of 3 s");
    advanceSeconds(DAY_S + DAY_S / 2);
    push("orders", "p2", "b");
    bury("orders", "workers", "parse error");
    advanceSeconds(DAY_S);
    push("orders", "p3", "c");
    bury("orders", "others", "parse error");
    restart();
    // then
    assertThat(names(list("queue=orders"))).containsExactly("a", "b", "c");
    assertThat(names(list("queue=orders&consumerGroup=workers"))).containsExactly("a", "b");
    assertThat(names(list("queue=orders&partition=p2"))).containsExactly("b");
    assertThat(names(list("queue=orders&error=parse"))).containsExactly("b", "c");
    assertThat(names(list("queue=orders&from=2026-01-01&to=2026-01-31"))).hasSize(3);
    assertThat(names(list("queue=orders&from=2026-01-01&to=2026-01-01"))).containsExactly("a");
    assertThat(names(list("queue=orders&from=2026-01-01&to=2026-01-02"))).containsExactly("a", "b");
    assertThat(names(list("queue=orders&from=2026-01-02&to=2026-01-02"))).containsExactly("b");
    assertThat(names(list("queue=orders&from=2026-01-02T12:00:00.001Z"))).containsExactly("c");
    assertThat(names(list("queue=orders&to=2026-01-02T12:00:00Z"))).containsExactly("a", "b");
    assertThat(names(list("queue=orders&from=2024-01-01&to=2024-01-31"))).isEmpty();
    assertThat(list("queue=orders&error=parse&limit=1").number("/total")).isEqualTo(2);
    get("/api/v1/dlq?queue=orders&from=yesterday").expect(400);
    get("/api/v1/dlq?queue=no-such").expect(404);
  }

  @Test
  void shouldPageOverAllQueuesWithATrueTotal() {
    // given
    for (String name : List.of("a", "b", "c")) {
      push("q1", "p", name);
      bury("q1", "g", "x");
    }
    push("q2", "p", "no dead letter");
    push("q3", "p", "d");
    push("q3", "p", "e");
    bury("q3", "g", "x");
    bury("q3", "g", "y");
    // when
    Reply first = list("limit=2");
    Reply second = list("limit=2&after=" + first.text("/next"));
    Reply third = list("limit=2&after=" + second.text("/next"));
    // then
    assertThat(names(first)).containsExactly("a", "b");
    assertThat(names(second)).containsExactly("c", "d");
    assertThat(names(third)).containsExactly("e");
    assertThat(third.json().at("/next").isNull()).isTrue();
    assertThat(List.of(first.number("/total"), second.number("/total"), third.number("/total")))
        .containsOnly(5L);
    assertThat(names(list("limit=2&offset=2"))).containsExactly("c", "d");
    assertThat(names(list("offset=4"))).containsExactly("e");
    assertThat(list("offset=9").number("/total")).isEqualTo(5);
    assertThat(list("error=y").number("/total")).isEqualTo(1);
    get("/api/v1/dlq?offset=10001").expect(400);
    get("/api/v1/dlq?after=!").expect(400);
  }

  @Test
  void shouldRequeueByFilterAndOnlyCountInADryRun() {
    // given
    for (String name : List.of("a", "b", "c")) {
      push("orders", name, name);
      bury("orders", "g", name.equals("c") ? "parse error" : "timeout");
    }
    // when
    Reply dry =
        post("/api/v1/dlq/requeue", "{'queue':'orders','error':'timeout','dryRun':true}")
            .expect(200);
    // then
    assertThat(dry.flag("/dryRun")).isTrue();
    assertThat(dry.number("/requeued")).isEqualTo(2);
    assertThat(list("queue=orders").number("/total")).isEqualTo(3);
    // when
    Reply done =
        post(
                "/api/v1/dlq/requeue",
                "{'queue':'orders','consumerGroup':'g','error':'timeout',"
                    + "'from':'2026-01-01','to':'2026-01-01'}")
            .expect(200);
    // then
    assertThat(done.number("/requeued")).isEqualTo(2);
    restart();
    assertThat(names(list("queue=orders"))).containsExactly("c");
    assertThat(names(pop("orders", "consumerGroup=g&batch=9&partitions=9").expect(200)))
        .containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void shouldRefuseARequeueThatSaysTooLittleOrTooMuch() {
    push("orders", "p", "a");
    bury("orders", "g", "x");
    assertThat(post("/api/v1/dlq/requeue", "{}").expect(400).text("/field")).isEqualTo("queue");
    assertThat(
            post("/api/v1/dlq/requeue", "{'queue':'orders','messageId':'1'}")
                .expect(400)
                .text("/field"))
        .isEqualTo("messageId");
    assertThat(post("/api/v1/dlq/requeue", "{'queue':'orders','q':1}").expect(400).text("/field"))
        .isEqualTo("q");
    post("/api/v1/dlq/requeue", "{'queue':'orders','from':'2026-02-01','to':'2026-01-01'}")
        .expect(400);
    post("/api/v1/dlq/requeue", "{'queue':'no-such'}").expect(404);
    assertThat(list("queue=orders").number("/total")).isEqualTo(1);
  }

  @Test
  void shouldReplayAndRemoveOneById() {
    // given
    String a = push("orders", "p", "a");
    bury("orders", "g", "x");
    String b = push("orders", "p", "b");
    bury("orders", "g", "x");
    // when
    Reply replayed = post("/api/v1/dlq/" + a + "/replay").expect(200);
    Reply removed = delete("/api/v1/dlq/" + b).expect(200);
    // then
    assertThat(replayed.text("/result")).isEqualTo("moved");
    assertThat(replayed.text("/originalTransactionId")).isEqualTo("a");
    assertThat(removed.text("/result")).isEqualTo("deleted");
    post("/api/v1/dlq/" + a + "/replay").expect(404);
    post("/api/v1/dlq/" + b + "/replay", "{'partition':'p2'}").expect(400);
    delete("/api/v1/dlq/" + b).expect(404);
    delete("/api/v1/dlq/nonsense").expect(404);
    assertThat(list("").number("/total")).isZero();
    assertThat(names(pop("orders", "consumerGroup=g&batch=9").expect(200))).containsExactly("a");
  }

  @Test
  void shouldReplayForOneGroupOnly() {
    // given
    String id = push("orders", "p", "a");
    bury("orders", "g1", "x");
    bury("orders", "g2", "x");
    // when
    post("/api/v1/dlq/" + id + "/replay", "{'consumerGroup':'g1'}").expect(200);
    // then
    pop("orders", "consumerGroup=g2").expect(204);
    pop("orders", "consumerGroup=g1").expect(200);
    assertThat(list("messageId=" + id).text("/messages/0/consumerGroup")).isEqualTo("g2");
  }

  @Test
  void shouldClearAQueueOrOneGroupOfIt() {
    // given
    push("orders", "p", "a");
    bury("orders", "g1", "x");
    bury("orders", "g2", "x");
    // when
    Reply one = delete("/api/v1/dlq?queue=orders&consumerGroup=g1").expect(200);
    Reply rest = delete("/api/v1/dlq?queue=orders").expect(200);
    // then
    assertThat(one.number("/deleted")).isEqualTo(1);
    assertThat(one.text("/consumerGroup")).isEqualTo("g1");
    assertThat(rest.number("/deleted")).isEqualTo(1);
    restart();
    assertThat(list("queue=orders").number("/total")).isZero();
    assertThat(delete("/api/v1/dlq").expect(400).text("/error")).isEqualTo("queue is required");
    delete("/api/v1/dlq?queue=no-such").expect(404);
  }
}
