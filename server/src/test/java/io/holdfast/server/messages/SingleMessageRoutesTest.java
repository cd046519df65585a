package io.holdfast.server.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.MessagesFixture;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** One message by its id: cancelled, rescheduled, explained. */
class SingleMessageRoutesTest extends MessagesFixture {
  private String pushOne() {
    return push("q", "{'a':1}").text("/0/message_id");
  }

  @Test
  void shouldCancelAMessageInAnyState() {
    // given
    String waiting = pushOne();
    // when
    Reply cancelled = post("/api/v1/messages/" + waiting + "/cancel").expect(200);
    // then
    assertThat(cancelled.flag("/success")).isTrue();
    assertThat(cancelled.text("/messageId")).isEqualTo(waiting);
    assertThat(cancelled.text("/state")).isEqualTo("waiting");
    assertThat(cancelled.json().at("/visibleAt").isNull()).isTrue();
    expectNothing("q", "EMPTY");
    post("/api/v1/messages/" + waiting + "/cancel").expect(404);
    String held = pushOne();
    Reply popped = pop("q");
    assertThat(post("/api/v1/messages/" + held + "/cancel").expect(200).text("/state"))
        .isEqualTo("in_flight");
    String handle =
        "{'leaseId':'%s','partitionId':'%s','seq':%d}"
            .formatted(
                popped.text("/leaseId"),
                popped.text("/messages/0/partitionId"),
                popped.number("/messages/0/seq"));
    assertThat(post("/api/v1/ack", handle).expect(200).text("/message")).isEqualTo("cancelled");
  }

  @Test
  void shouldPutAMessageOff() {
    // given
    String id = pushOne();
    // when
    Reply moved = post("/api/v1/messages/" + id + "/reschedule", "{'delaySeconds':60}").expect(200);
    // then
    assertThat(moved.text("/visibleAt")).isEqualTo("2026-01-01T00:01:00.000Z");
    restart();
    advanceSeconds(59);
    get("/api/v1/pop/queue/q").expect(204);
    advanceSeconds(1);
    assertThat(pop("q", "?wait=true&timeout=5000").text("/messages/0/id")).isEqualTo(id);
  }

  @Test
  void shouldBringAMessageForward() {
    // given
    String id =
        post("/api/v1/push", "{'items':[{'queue':'q','payload':1,'delaySeconds':3600}]}")
            .text("/0/message_id");
    // when
    Reply moved =
        post("/api/v1/messages/" + id + "/reschedule", "{'visibleAt':'2026-01-01T01:00:05+01:00'}")
            .expect(200);
    // then
    assertThat(moved.text("/state")).isEqualTo("delayed");
    assertThat(moved.text("/visibleAt")).isEqualTo("2026-01-01T00:00:05.000Z");
    advanceSeconds(5);
    assertThat(pop("q", "?wait=true&timeout=5000").text("/messages/0/id")).isEqualTo(id);
  }

  @Test
  void shouldExplainAMessage() {
    // given
    String id = pushOne();
    ackFirst(pop("q", "?worker=w1"), ",'status':'failed','error':'no'");
    Reply popped = pop("q", "?consumerGroup=g&worker=w2");
    // when
    Reply told = get("/api/v1/messages/" + id + "/explain").expect(200);
    // then
    assertThat(told.text("/id")).isEqualTo(id);
    assertThat(told.text("/queue")).isEqualTo("q");
    assertThat(told.number("/data/a")).isEqualTo(1);
    assertThat(told.text("/explain")).isNotEmpty();
    assertThat(told.json().at("/groups")).hasSize(2);
    for (var group : told.json().at("/groups")) {
      if (group.at("/consumerGroup").asString().equals("g")) {
        assertThat(group.at("/state").asString()).isEqualTo("in_flight");
        assertThat(group.at("/leaseId").asString()).isEqualTo(popped.text("/leaseId"));
        assertThat(group.at("/worker").asString()).isEqualTo("w2");
        assertThat(group.at("/leaseExpiresAt").asString()).isEqualTo("2026-01-01T00:05:00.000Z");
        assertThat(group.at("/attempts")).isEmpty();
      } else {
        assertThat(group.at("/state").asString()).isEqualTo("returned");
        assertThat(group.at("/visibleAt").asString()).isEqualTo("2026-01-01T00:00:01.000Z");
        assertThat(group.at("/retryCount").asLong()).isEqualTo(1);
        assertThat(group.at("/attempts/0/cause").asString()).isEqualTo("nacked");
        assertThat(group.at("/attempts/0/worker").asString()).isEqualTo("w1");
        assertThat(group.at("/attempts/0/error").asString()).isEqualTo("no");
        assertThat(group.at("/explain").asString()).isNotEmpty();
      }
    }
  }

  @Test
  void shouldRefuseWhatItDoesNotKnow() {
    String none = "/api/v1/messages/" + new UUID(0, 7);
    get(none + "/explain").expect(404);
    post(none + "/cancel").expect(404);
    post(none + "/reschedule", "{'delaySeconds':1}").expect(404);
    assertThat(get("/api/v1/messages/17/explain").expect(400).text("/field")).isEqualTo("id");
    assertThat(get("/api/v1/messages/1-1-1-1-1/explain").expect(400).text("/field"))
        .isEqualTo("id");
    String path = "/api/v1/messages/" + pushOne() + "/reschedule";
    for (String body :
        new String[] {
          "{}",
          "{'delaySeconds':1,'visibleAt':'2026-01-01'}",
          "{'delaySeconds':-1}",
          "{'delaySeconds':'1'}",
          "{'visibleAt':'soon'}",
          "{'visibleAt':5}",
          "{'delay':5}"
        }) {
      post(path, body).expect(400);
    }
    pop("q");
  }
}
