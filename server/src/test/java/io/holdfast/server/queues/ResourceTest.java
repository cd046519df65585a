package io.holdfast.server.queues;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.queen.QueenSteps;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Queues, partitions, namespaces and the whole, as the routes show and change them. */
class ResourceTest extends QueenSteps {
  @Test
  void shouldListQueuesWithTheirCounts() {
    // given
    configure("orders", "namespace", "shop", "task", "bill");
    push("orders", "p1", "a");
    push("orders", "p2", "b");
    push("orders", "p2", "c");
    pop("orders", "").expect(200);
    // when
    Reply reply = get("/api/v1/resources/queues").expect(200);
    // then
    assertThat(reply.text("/queues/0/name")).isEqualTo("orders");
    assertThat(reply.text("/queues/0/namespace")).isEqualTo("shop");
    assertThat(reply.text("/queues/0/task")).isEqualTo("bill");
    assertThat(reply.text("/queues/0/createdAt")).isEqualTo("2026-01-01T00:00:00.000Z");
    assertThat(reply.number("/queues/0/partitions")).isEqualTo(2);
    assertThat(reply.number("/queues/0/messages/total")).isEqualTo(3);
    assertThat(reply.number("/queues/0/messages/pending")).isEqualTo(2);
    assertThat(reply.number("/queues/0/messages/processing")).isEqualTo(1);
    assertThat(reply.json().at("/queues/0/messages/completed").isNull()).isTrue();
    assertThat(reply.json().at("/next").isNull()).isTrue();
  }

  @Test
  void shouldListQueuesByPageAndPrefix() {
    // given
    for (String queue : List.of("a1", "a2", "a3", "b1")) {
      configure(queue);
    }
    // when
    Reply first = get("/api/v1/resources/queues?prefix=a&limit=2").expect(200);
    Reply second =
        get("/api/v1/resources/queues?prefix=a&limit=2&after=" + first.text("/next")).expect(200);
    // then
    assertThat(texts(first, "/queues", "/name")).containsExactly("a1", "a2");
    assertThat(texts(second, "/queues", "/name")).containsExactly("a3");
    assertThat(second.json().at("/next").isNull()).isTrue();
    assertThat(get("/api/v1/resources/queues?limit=0").expect(400).text("/field"))
        .isEqualTo("limit");
  }

  @Test
  void shouldShowAQueueWithItsPartitionsLanesAndOptions() {
    // given
    configure("orders", "leaseTime", 60);
    push("orders", "p1", "a");
    post(
            "/api/v1/push",
            "{'items':[{'queue':'orders','partition':'p1','payload':1,'priority':5},"
                + "{'queue':'orders','partition':'p2','payload':2,'delaySeconds':60}]}")
        .expect(201);
    bury("orders", "__QUEUE_MODE__", "poison");
    restart();
    // when
    Reply reply = get("/api/v1/resources/queues/orders").expect(200);
    // then
    assertThat(reply.number("/options/leaseTime")).isEqualTo(60);
    assertThat(reply.number("/options/retryLimit")).isEqualTo(3);
    assertThat(reply.flag("/paused")).isFalse();
    assertThat(texts(reply, "/partitions", "/name")).containsExactly("p1", "p2");
    assertThat(texts(reply, "/partitions/0/lanes", "/priority")).containsExactly("0", "5");
    assertThat(reply.number("/partitions/0/stats/pending")).isEqualTo(1);
    assertThat(reply.number("/partitions/1/stats/delayed")).isEqualTo(1);
    assertThat(reply.json().at("/partitions/0/stats/deadLetter").isNull()).isTrue();
    assertThat(reply.number("/totals/deadLetter")).isEqualTo(1);
    assertThat(reply.number("/totals/total")).isEqualTo(3);
    assertThat(get("/api/v1/resources/queues/no-such").expect(404).text("/code"))
        .isEqualTo("NOT_FOUND");
  }

  @Test
  void shouldShowTheDepthOfEachGroup() {
    // given
    for (String name : List.of("a", "b", "c")) {
      push("orders", "p1", name);
    }
    pop("orders", "consumerGroup=fast&autoAck=true&batch=2").expect(200);
    pop("orders", "consumerGroup=slow").expect(200);
    // when
    Reply all = get("/api/v1/resources/queues/orders/depth").expect(200);
    Reply fast = get("/api/v1/resources/queues/orders/depth?group=fast").expect(200);
    Reply slow = get("/api/v1/resources/queues/orders/depth?group=slow").expect(200);
    // then
    assertThat(all.number("/pending")).isEqualTo(2);
    assertThat(all.json().at("/group").isNull()).isTrue();
    assertThat(fast.number("/pending")).isEqualTo(1);
    assertThat(fast.number("/processing")).isZero();
    assertThat(fast.number("/partitions/0/pending")).isEqualTo(1);
    assertThat(slow.number("/pending")).isEqualTo(2);
    assertThat(slow.number("/partitions/0/processing")).isEqualTo(1);
    get("/api/v1/resources/queues/orders/depth?group=nobody").expect(404);
    get("/api/v1/resources/queues/no-such/depth").expect(404);
  }

  @Test
  void shouldListTheFullestPartitionsFirst() {
    // given
    push("q1", "small", "a");
    push("q1", "large", "b");
    push("q1", "large", "c");
    push("q1", "large", "d");
    push("q2", "middle", "e");
    push("q2", "middle", "f");
    // when
    Reply all = get("/api/v1/resources/partitions?limit=2").expect(200);
    Reply one = get("/api/v1/resources/partitions?queue=q1").expect(200);
    // then
    assertThat(texts(all, "/partitions", "/partition")).containsExactly("large", "middle");
    assertThat(all.number("/partitions/0/pending")).isEqualTo(3);
    assertThat(all.flag("/complete")).isTrue();
    assertThat(texts(one, "/partitions", "/partition")).containsExactly("large", "small");
    get("/api/v1/resources/partitions?queue=no-such").expect(404);
  }

  @Test
  void shouldSumUpNamespacesAndTasks() {
    // given
    configure("q1", "namespace", "shop", "task", "bill");
    configure("q2", "namespace", "shop");
    configure("q3");
    push("q1", "p", "a");
    push("q2", "p", "b");
    // when
    Reply namespaces = get("/api/v1/resources/namespaces").expect(200);
    Reply tasks = get("/api/v1/resources/tasks").expect(200);
    // then
    assertThat(namespaces.json().at("/namespaces").size()).isEqualTo(1);
    assertThat(namespaces.text("/namespaces/0/namespace")).isEqualTo("shop");
    assertThat(namespaces.number("/namespaces/0/queues")).isEqualTo(2);
    assertThat(namespaces.number("/namespaces/0/messages/pending")).isEqualTo(2);
    assertThat(tasks.text("/tasks/0/task")).isEqualTo("bill");
    assertThat(tasks.number("/tasks/0/partitions")).isEqualTo(1);
  }

  @Test
  void shouldGiveAnOverview() {
    // given
    configure("orders", "namespace", "shop");
    push("orders", "p", "a");
    push("orders", "p", "b");
    bury("orders", "__QUEUE_MODE__", "poison");
    advanceSeconds(20);
    // when
    Reply reply = get("/api/v1/resources/overview").expect(200);
    // then
    assertThat(reply.number("/queues")).isEqualTo(1);
    assertThat(reply.number("/namespaces")).isEqualTo(1);
    assertThat(reply.number("/tasks")).isZero();
    assertThat(reply.number("/messages/pending")).isEqualTo(1);
    assertThat(reply.number("/messages/deadLetter")).isEqualTo(1);
    assertThat(reply.number("/lag/time/max")).isEqualTo(20);
    assertThat(reply.number("/lag/offset/max")).isEqualTo(1);
    assertThat(reply.number("/since/pushed")).isEqualTo(2);
    assertThat(reply.text("/timestamp")).isEqualTo("2026-01-01T00:00:20.000Z");
  }

  @Test
  void shouldDeleteAQueueAndSayWhetherThereWasOne() {
    // given
    push("orders", "p", "a");
    // when
    Reply first = delete("/api/v1/resources/queues/orders").expect(200);
    Reply second = delete("/api/v1/resources/queues/orders").expect(200);
    // then
    assertThat(first.flag("/deleted")).isTrue();
    assertThat(first.flag("/existed")).isTrue();
    assertThat(second.flag("/deleted")).isFalse();
    assertThat(second.flag("/existed")).isFalse();
    assertThat(second.text("/message")).isNotBlank();
    restart();
    get("/api/v1/resources/queues/orders").expect(404);
  }

  @Test
  void shouldPauseAndResumeDeliveriesOverARestart() {
    // given
    push("orders", "p", "a");
    // when
    assertThat(post("/api/v1/resources/queues/orders/pause").expect(200).flag("/paused")).isTrue();
    restart();
    // then
    assertThat(pop("orders", "").expect(204).header("X-Holdfast-Reason")).isEqualTo("PAUSED");
    assertThat(get("/api/v1/resources/queues/orders").flag("/paused")).isTrue();
    // when
    assertThat(post("/api/v1/resources/queues/orders/resume").expect(200).flag("/paused"))
        .isFalse();
    // then
    pop("orders", "").expect(200);
    post("/api/v1/resources/queues/no-such/pause").expect(404);
  }

  @Test
  void shouldPurgeAPartitionOrAll() {
    // given
    push("orders", "p1", "a");
    push("orders", "p2", "b");
    push("orders", "p2", "c");
    // when
    Reply one = post("/api/v1/resources/queues/orders/purge", "{'partition':'p1'}").expect(200);
    // then
    assertThat(one.number("/purged")).isEqualTo(1);
    assertThat(names(pop("orders", "").expect(200))).containsExactly("b");
    // when
    Reply rest = post("/api/v1/resources/queues/orders/purge").expect(200);
    // then
    assertThat(rest.number("/purged")).isEqualTo(2);
    restart();
    pop("orders", "").expect(204);
    post("/api/v1/resources/queues/orders/purge", "{'partition':'none'}").expect(404);
    assertThat(
            post("/api/v1/resources/queues/orders/purge", "{'part':'p1'}")
                .expect(400)
                .text("/field"))
        .isEqualTo("part");
  }

  @Test
  void shouldClearAQueueAsQueensClientAsks() {
    // given
    push("orders", "p1", "a");
    push("orders", "p2", "b");
    // then
    assertThat(delete("/api/v1/queues/orders/clear?partition=p1").expect(200).number("/purged"))
        .isEqualTo(1);
    assertThat(delete("/api/v1/queues/orders/clear").expect(200).number("/purged")).isEqualTo(1);
    delete("/api/v1/queues/no-such/clear").expect(404);
    post("/api/v1/stats/refresh").expect(200);
    post("/api/v1/stats/refresh", "{}").expect(200);
  }
}
