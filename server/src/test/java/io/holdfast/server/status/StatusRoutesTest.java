package io.holdfast.server.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.EngineConfig;
import io.holdfast.server.ServerFixture;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Queues are found and sorted over all there are, and the last day is told in series. */
class StatusRoutesTest extends ServerFixture {
  /** On a disk, because the times of its syncs are shown. */
  @Override
  protected EngineConfig engine() {
    return EngineConfig.at(temp.resolve("data"));
  }

  private void push(String queue, int count) {
    String item = "{'queue':'" + queue + "','payload':1}";
    post("/api/v1/push", "{'items':[" + (item + ",").repeat(count - 1) + item + "]}").expect(201);
  }

  private List<String> names(String query) {
    Reply reply = get("/api/v1/status/queues" + query).expect(200);
    return StreamSupport.stream(reply.json().at("/queues").spliterator(), false)
        .map(queue -> queue.at("/name").asString())
        .toList();
  }

  @Test
  void shouldSortOverAllQueues() {
    // given
    push("a", 3);
    push("b", 9);
    push("c", 1);
    // then
    assertThat(names("")).containsExactly("a", "b", "c");
    assertThat(names("?order=desc")).containsExactly("c", "b", "a");
    assertThat(names("?sort=waiting")).containsExactly("b", "a", "c");
    assertThat(names("?sort=lag&order=asc&limit=2")).containsExactly("c", "a");
    assertThat(names("?sort=waiting&limit=1&offset=1")).containsExactly("a");
    Reply page = get("/api/v1/status/queues?limit=1&offset=2").expect(200);
    assertThat(page.number("/total")).isEqualTo(3);
    assertThat(page.number("/pagination/limit")).isEqualTo(1);
    assertThat(page.number("/pagination/offset")).isEqualTo(2);
  }

  @Test
  void shouldFindQueuesByNameTagAndState() {
    // given
    post("/api/v1/configure", "{'queue':'Orders-EU','namespace':'shop','task':'ship'}").expect(200);
    push("orders-us", 1);
    push("mail", 1);
    post("/api/v1/resources/queues/mail/pause").expect(200);
    // then
    assertThat(names("?search=ORDERS")).containsExactly("Orders-EU", "orders-us");
    assertThat(names("?search=nope")).isEmpty();
    assertThat(names("?namespace=shop")).containsExactly("Orders-EU");
    assertThat(names("?task=ship")).containsExactly("Orders-EU");
    assertThat(names("?state=paused")).containsExactly("mail");
    assertThat(names("?state=dead")).isEmpty();
    advanceSeconds(301);
    assertThat(names("?state=lagging")).containsExactly("mail", "orders-us");
  }

  @Test
  void shouldTellAQueueWithItsRates() {
    // given
    get("/api/v1/status/queues").expect(200);
    push("a", 1);
    advanceSeconds(2);
    get("/api/v1/status/queues").expect(200);
    // when
    push("a", 8);
    get("/api/v1/pop/queue/a?batch=4&autoAck=true").expect(200);
    advanceSeconds(2);
    JsonNode row = get("/api/v1/status/queues").expect(200).json().at("/queues/0");
    // then
    assertThat(row.at("/pushPerSecond").asDouble()).isEqualTo(4);
    assertThat(row.at("/popPerSecond").asDouble()).isEqualTo(2);
    assertThat(row.at("/ackPerSecond").asDouble()).isEqualTo(2);
    assertThat(row.at("/waiting").asLong()).isEqualTo(5);
    assertThat(row.at("/lag").asLong()).isEqualTo(5);
    assertThat(row.at("/groups").asLong()).isEqualTo(1);
    assertThat(row.at("/oldestMs").asLong()).isEqualTo(2_000);
    assertThat(row.at("/bytes").asLong()).isGreaterThan(0);
  }

  @Test
  void shouldBeHalfASecondOldAtMost() {
    // given
    get("/api/v1/status/queues").expect(200);
    push("a", 1);
    // when
    advanceSeconds(1);
    // then
    assertThat(names("")).containsExactly("a");
  }

  /** Lets time pass in steps at which the broker is looked at. */
  private void pass(int steps, int stepSeconds, Runnable each) {
    for (int i = 0; i < steps; i++) {
      each.run();
      advanceSeconds(stepSeconds);
      get("/api/v1/status/now").expect(200);
    }
  }

  private static long from(Reply series, int point) {
    return series.number("/points/" + point + "/time");
  }

  @Test
  void shouldTellHowTheBrokerWent() {
    // given
    get("/api/v1/status/now").expect(200);
    long begunMs = clock.wallMs();
    // when
    pass(6, 10, () -> push("a", 20));
    Reply series = get("/api/v1/status/series").expect(200);
    // then
    assertThat(series.number("/to")).isEqualTo(clock.wallMs());
    assertThat(series.number("/from")).isEqualTo(clock.wallMs() - 3_600_000);
    assertThat(series.number("/stepMs")).isEqualTo(20_000);
    assertThat(series.flag("/kept")).isTrue();
    assertThat(series.json().at("/points").size()).isEqualTo(3);
    assertThat(from(series, 0)).isEqualTo(begunMs);
    assertThat(series.json().at("/points/0/push").asDouble()).isEqualTo(2);
    assertThat(series.number("/points/0/waiting")).isEqualTo(40);
    assertThat(series.number("/points/2/waiting")).isEqualTo(120);
    assertThat(series.number("/points/2/oldestMs")).isEqualTo(60_000);
    assertThat(series.json().at("/points/1/fsyncMs").asDouble()).isGreaterThan(0);
  }

  @Test
  void shouldTellEveryStepOfAShortSpan() {
    // given
    get("/api/v1/status/now").expect(200);
    pass(6, 10, () -> push("a", 10));
    String to = Long.toString(clock.wallMs() - 20_000);
    // when
    Reply series =
        get("/api/v1/status/series?from=" + (clock.wallMs() - 40_000) + "&to=" + to).expect(200);
    // then
    assertThat(series.number("/stepMs")).isEqualTo(10_000);
    assertThat(series.json().at("/points").size()).isEqualTo(2);
    assertThat(from(series, 0)).isEqualTo(clock.wallMs() - 40_000);
    assertThat(series.json().at("/points/0/push").asDouble()).isEqualTo(1);
    get("/api/v1/status/series?from=" + clock.wallMs() + "&to=" + to).expect(400);
  }

  @Test
  void shouldTellHowAQueueWentMinuteByMinute() {
    // given
    push("a", 1);
    get("/api/v1/status/now").expect(200);
    // when
    pass(3, 60, () -> push("a", 30));
    Reply series = get("/api/v1/status/series?queue=a").expect(200);
    // then
    assertThat(series.flag("/kept")).isTrue();
    assertThat(series.number("/stepMs")).isEqualTo(60_000);
    assertThat(series.json().at("/points").size()).isEqualTo(3);
    assertThat(series.json().at("/points/1/push").asDouble()).isEqualTo(0.5);
    assertThat(series.number("/points/2/waiting")).isEqualTo(91);
    get("/api/v1/status/series?queue=none").expect(404);
  }

  @Test
  void shouldSayThatAQueueHasNoSeries() {
    // given
    get("/api/v1/status/now").expect(200);
    post("/api/v1/configure", "{'queue':'idle'}").expect(200);
    advanceSeconds(1);
    // when
    Reply series = get("/api/v1/status/series?queue=idle").expect(200);
    // then
    assertThat(series.flag("/kept")).isFalse();
    assertThat(series.json().at("/points").isEmpty()).isTrue();
  }
}
