package io.holdfast.server.compat.queen;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.ServerFixture;
import org.junit.jupiter.api.Test;

/** What Queen's clients ask about the state of the broker is answered with what is so. */
class QueenStatusTest extends ServerFixture {
  private void push(String queue, int count) {
    String item = "{'queue':'" + queue + "','payload':1}";
    post("/api/v1/push", "{'items':[" + (item + ",").repeat(count - 1) + item + "]}").expect(201);
  }

  /** Two minutes in which something happens. */
  private void live() {
    push("a", 6);
    get("/api/v1/status/now").expect(200);
    for (int i = 0; i < 12; i++) {
      push("a", 10);
      advanceSeconds(10);
      get("/api/v1/status/now").expect(200);
    }
    get("/api/v1/pop/queue/a?batch=5&autoAck=true").expect(200);
    get("/api/v1/pop/queue/a?batch=2").expect(200);
    push("b", 1);
    advanceSeconds(1);
  }

  @Test
  void shouldTellTheStateOfTheBroker() {
    // given
    live();
    // when
    Reply status = get("/api/v1/status").expect(200);
    // then
    assertThat(status.number("/messages/total")).isEqualTo(127);
    assertThat(status.number("/messages/pending")).isEqualTo(120);
    assertThat(status.number("/messages/processing")).isEqualTo(2);
    assertThat(status.number("/messages/completed")).isEqualTo(5);
    assertThat(status.number("/leases/active")).isEqualTo(1);
    assertThat(status.json().at("/queues").size()).isEqualTo(2);
    assertThat(status.number("/queues/0/totalConsumed")).isEqualTo(5);
    assertThat(status.number("/pointCount")).isPositive();
    assertThat(status.json().at("/throughput/0/ingestedPerSecond").asDouble()).isPositive();
    assertThat(get("/api/v1/status?queue=b").expect(200).number("/messages/total")).isEqualTo(1);
    get("/api/v1/status?from=2026-01-02&to=2026-01-01").expect(400);
  }

  @Test
  void shouldTellTheStateOfAQueue() {
    // given
    live();
    // when
    Reply queue = get("/api/v1/status/queues/a").expect(200);
    // then
    assertThat(queue.text("/queue/name")).isEqualTo("a");
    assertThat(queue.number("/queue/config/leaseTime")).isEqualTo(300);
    assertThat(queue.number("/totals/total")).isEqualTo(126);
    assertThat(queue.number("/totals/messages/completed")).isEqualTo(5);
    assertThat(queue.text("/partitions/0/name")).isEqualTo("Default");
    assertThat(queue.number("/partitions/0/stats/processing")).isEqualTo(2);
    get("/api/v1/status/queues/none").expect(404);
  }

  @Test
  void shouldTellHowItWent() {
    // given
    live();
    // when
    Reply stored = get("/api/v1/status/analytics?interval=minute").expect(200);
    Reply lag = get("/api/v1/analytics/queue-lag?queue=a").expect(200);
    Reply flow = get("/api/v1/analytics/queue-ops").expect(200);
    Reply whole = get("/api/v1/analytics/worker-metrics").expect(200);
    // then
    assertThat(stored.number("/dataPoints/0/messages")).isEqualTo(60);
    assertThat(stored.number("/dataPoints/1/messages")).isEqualTo(60);
    assertThat(lag.number("/0/maxLagMs")).isEqualTo(120_000);
    assertThat(flow.text("/queues/0")).isEqualTo("a");
    // A point stands for five minutes, of which two were seen.
    assertThat(flow.number("/series/0/pushMessages")).isEqualTo(120);
    assertThat(whole.number("/summary/totalPushMessages")).isEqualTo(127);
    assertThat(whole.number("/summary/totalPopMessages")).isEqualTo(7);
    assertThat(get("/api/v1/status/buffers").expect(200).flag("/dbHealthy")).isTrue();
    get("/api/v1/status/analytics?interval=year").expect(400);
  }
}
