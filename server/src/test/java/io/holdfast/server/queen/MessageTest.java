package io.holdfast.server.queen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages as the routes list, show, take back, retry and give up. */
class MessageTest extends QueenSteps {
  private String path(Reply listed, int index) {
    String at = "/messages/" + index;
    return "/api/v1/messages/"
        + listed.text(at + "/partitionId")
        + "/"
        + encoded(listed.text(at + "/transactionId"));
  }

  private Reply list(String query) {
    return get("/api/v1/messages?" + query).expect(200);
  }

  @Test
  void shouldListMessagesByStatus() {
    // given
    configure("orders", "delivery", "shared");
    for (String name : List.of("done", "held", "back", "dead", "new")) {
      push("orders", "p1", name);
    }
    Reply popped = pop("orders", "batch=4").expect(200);
    settle(popped, 0, "");
    settle(popped, 2, ",'status':'failed'");
    settle(popped, 3, ",'status':'dlq'");
    post(
            "/api/v1/push",
            "{'items':[{'queue':'orders','transactionId':'late','payload':1,'delaySeconds':60}]}")
        .expect(201);
    restart();
    // then
    assertThat(names(list("queue=orders&status=pending"))).containsExactly("back", "new");
    assertThat(names(list("queue=orders&status=processing"))).containsExactly("held");
    assertThat(names(list("queue=orders&status=completed"))).containsExactly("done");
    assertThat(names(list("queue=orders&status=dead_letter"))).containsExactly("dead");
    assertThat(names(list("queue=orders&status=delayed"))).containsExactly("late");
    assertThat(names(list("queue=orders&status=waiting"))).containsExactly("new");
    assertThat(names(list("queue=orders&status=returned"))).containsExactly("back");
    assertThat(names(list("queue=orders"))).hasSize(6);
    Reply back = list("queue=orders&status=returned");
    assertThat(back.text("/messages/0/status")).isEqualTo("pending");
    assertThat(back.number("/messages/0/retryCount")).isEqualTo(1);
    assertThat(back.text("/messages/0/data/n")).isEqualTo("back");
    assertThat(back.text("/messages/0/queuePath")).isEqualTo("orders/p1");
    assertThat(back.text("/mode/type")).isEqualTo("queue");
    assertThat(get("/api/v1/messages?queue=orders&status=lost").expect(400).text("/field"))
        .isEqualTo("status");
  }

  @Test
  void shouldListByPartitionGroupAndTime() {
    // given
    push("orders", "p1", "a");
    advanceSeconds(60);
    push("orders", "p2", "b");
    pop("orders", "consumerGroup=g&batch=10&partitions=2&autoAck=true").expect(200);
    // then
    assertThat(names(list("queue=orders&partition=p2"))).containsExactly("b");
    assertThat(names(list("queue=orders&to=2026-01-01T00:00:59Z"))).containsExactly("a");
    assertThat(names(list("queue=orders&from=2026-01-01T00:01:00Z"))).containsExactly("b");
    assertThat(names(list("queue=orders&from=2026-01-01&to=2026-01-01"))).hasSize(2);
    assertThat(names(list("queue=orders&from=2026-01-02"))).isEmpty();
    assertThat(names(list("queue=orders&consumerGroup=g&status=completed"))).hasSize(2);
    assertThat(names(list("queue=orders&status=completed"))).isEmpty();
    assertThat(
            get("/api/v1/messages?queue=orders&from=2026-02-01&to=2026-01-01")
                .expect(400)
                .text("/field"))
        .isEqualTo("to");
  }

  @Test
  void shouldPageByCursorAndByOffset() {
    // given
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      push("orders", "p" + i % 2, "m" + i);
    }
    // when
    Reply page = list("queue=orders&limit=3");
    all.addAll(names(page));
    while (!page.json().at("/next").isNull()) {
      page = list("queue=orders&limit=3&after=" + page.text("/next"));
      all.addAll(names(page));
    }
    // then
    assertThat(all).containsExactly("m0", "m2", "m4", "m6", "m1", "m3", "m5");
    assertThat(names(list("queue=orders&limit=3&offset=3"))).containsExactly("m6", "m1", "m3");
    assertThat(names(list("queue=orders&offset=7"))).isEmpty();
    assertThat(get("/api/v1/messages?queue=orders&offset=10001").expect(400).text("/error"))
        .contains("10000");
    assertThat(get("/api/v1/messages?queue=orders&after=x").expect(400).text("/field"))
        .isEqualTo("after");
    get("/api/v1/messages?queue=orders&offset=1&after="
            + list("queue=orders&limit=1").text("/next"))
        .expect(400);
  }

  @Test
  void shouldEndAPageOfLargeMessagesEarly() {
    // given
    String large = "x".repeat(900_000);
    for (int i = 0; i < 6; i++) {
      post("/api/v1/push", "{'items':[{'queue':'q','payload':'" + large + "'}]}").expect(201);
    }
    // when
    Reply first = list("queue=q");
    Reply second = list("queue=q&after=" + first.text("/next"));
    // then
    assertThat(names(first)).hasSizeBetween(1, 5);
    assertThat(names(first).size() + names(second).size()).isEqualTo(6);
    assertThat(first.text("/messages/0/data")).hasSize(900_000);
  }

  @Test
  void shouldListAllQueuesOfANamespaceOrTask() {
    // given
    configure("q1", "namespace", "shop", "task", "bill");
    configure("q2", "namespace", "shop");
    configure("q3", "namespace", "other");
    push("q1", "p", "a");
    push("q2", "p", "b");
    push("q3", "p", "c");
    // when
    Reply first = list("namespace=shop&limit=1");
    // then
    assertThat(names(first)).containsExactly("a");
    assertThat(names(list("ns=shop&limit=1&after=" + first.text("/next")))).containsExactly("b");
    assertThat(names(list("task=bill"))).containsExactly("a");
    assertThat(names(list("queue=q3&namespace=shop"))).isEmpty();
    assertThat(names(list("limit=2"))).containsExactly("a", "b");
    assertThat(names(list(""))).containsExactly("a", "b", "c");
    get("/api/v1/messages?queue=no-such").expect(404);
  }

  @Test
  void shouldShowAMessageWithItsAttemptsAndWhy() {
    // given
    push("orders", "p1", "tx 1/2");
    Reply popped = pop("orders", "consumerGroup=g&worker=w1").expect(200);
    settle(popped, 0, ",'status':'failed','error':'disk full'");
    restart();
    // when
    Reply shown = get(path(list("queue=orders"), 0)).expect(200);
    // then
    assertThat(shown.text("/transactionId")).isEqualTo("tx 1/2");
    assertThat(shown.text("/payload/n")).isEqualTo("tx 1/2");
    assertThat(shown.text("/status")).isEqualTo("pending");
    assertThat(shown.text("/state")).isEqualTo("returned");
    assertThat(shown.text("/errorMessage")).isEqualTo("disk full");
    assertThat(shown.number("/retryCount")).isEqualTo(1);
    assertThat(shown.text("/consumerGroups/0/name")).isEqualTo("g");
    assertThat(shown.text("/consumerGroups/0/attempts/0/worker")).isEqualTo("w1");
    assertThat(shown.text("/consumerGroups/0/attempts/0/cause")).isEqualTo("nacked");
    assertThat(shown.text("/explain")).contains("retry");
    assertThat(shown.text("/mode/type")).isEqualTo("bus");
    assertThat(shown.number("/queueConfig/retryLimit")).isEqualTo(3);
  }

  @Test
  void shouldShowAMessageThatNobodyHasAskedFor() {
    // given
    post("/api/v1/push", "{'items':[{'queue':'q','payload':1,'delaySeconds':60}]}").expect(201);
    // when
    Reply shown = get(path(list("queue=q"), 0)).expect(200);
    // then
    assertThat(shown.text("/status")).isEqualTo("delayed");
    assertThat(shown.text("/transactionId")).isEqualTo(shown.text("/id"));
    assertThat(shown.text("/visibleAt")).isEqualTo("2026-01-01T00:01:00.000Z");
    assertThat(get("/api/v1/messages/1/no-such").expect(404).text("/error"))
        .isEqualTo("Message not found");
    get("/api/v1/messages/x/y").expect(404);
  }

  @Test
  void shouldTakeAMessageBack() {
    // given
    push("orders", "p1", "a");
    push("orders", "p1", "b");
    Reply popped = pop("orders", "batch=2").expect(200);
    String path = path(popped, 0);
    // when
    assertThat(delete(path).expect(200).text("/result")).isEqualTo("cancelled");
    // then
    assertThat(settle(popped, 0, "").flag("/success")).isFalse();
    assertThat(settle(popped, 1, "").text("/message")).isEqualTo("acknowledged");
    delete(path).expect(404);
    restart();
    get(path).expect(404);
  }

  @Test
  void shouldRetryADeadLetterOnly() {
    // given
    push("orders", "p1", "a");
    String path = path(list("queue=orders"), 0);
    // then
    assertThat(post(path + "/retry").expect(409).text("/code")).isEqualTo("WRONG_STATE");
    // given
    bury("orders", "g", "poison");
    restart();
    // when
    Reply retried = post(path + "/retry", "{}").expect(200);
    // then
    assertThat(retried.text("/result")).isEqualTo("moved");
    assertThat(retried.text("/consumerGroups/0")).isEqualTo("g");
    Reply popped = pop("orders", "consumerGroup=g").expect(200);
    assertThat(names(popped)).containsExactly("a");
    assertThat(popped.number("/messages/0/retryCount")).isZero();
    post("/api/v1/messages/1/no-such/retry").expect(404);
  }

  @Test
  void shouldGiveUpAMessageThatIsInFlightOrCameBack() {
    // given
    push("orders", "p1", "a");
    String path = path(list("queue=orders"), 0);
    // then
    Reply waiting = post(path + "/dlq").expect(409);
    assertThat(waiting.text("/code")).isEqualTo("WRONG_STATE");
    // given
    Reply popped = pop("orders", "consumerGroup=g").expect(200);
    // when
    Reply buried = post(path + "/dlq", "{'error':'no good'}").expect(200);
    // then
    assertThat(buried.text("/result")).isEqualTo("failed_dlq");
    assertThat(settle(popped, 0, "").flag("/success")).isFalse();
    assertThat(get(path).text("/errorMessage")).isEqualTo("no good");
    assertThat(names(list("queue=orders&consumerGroup=g&status=dead_letter"))).containsExactly("a");
    post(path + "/dlq", "{'consumerGroup':'other'}").expect(409);
    post(path + "/dlq", "{'errors':1}").expect(400);
  }

  @Test
  void shouldNotGiveUpWithoutALeaseWhereOneIsRequired() {
    // given
    configure("orders", "requireLease", true);
    push("orders", "p1", "a");
    String path = path(pop("orders", "").expect(200), 0);
    // then
    assertThat(post(path + "/dlq").expect(409).text("/code")).isEqualTo("LEASE_REQUIRED");
    assertThat(get(path).text("/state")).isEqualTo("in_flight");
  }
}
