package io.holdfast.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.MessagesFixture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What tasks add up to, as HTTP tells it. */
class TaskCountRoutesTest extends MessagesFixture {
  @BeforeEach
  void track() {
    configure("q", "'track':true,'delivery':'shared','retryLimit':1,'retryDelay':0").expect(200);
    push("plain", "1");
  }

  private Reply counts() {
    // An answer is kept for a while.
    advanceSeconds(10);
    return get("/api/v1/task-counts?queue=q").expect(200);
  }

  @Test
  void shouldNameQueuesThatTrack() {
    // given
    configure("a", "'track':true").expect(200);
    // when
    Reply queues = get("/api/v1/task-queues").expect(200);
    // then
    assertThat(queues.json().at("/queues").toString()).isEqualTo("[\"a\",\"q\"]");
    assertThat(queues.json().at("/complete").asBoolean()).isTrue();
  }

  @Test
  void shouldCountByStatusAndWorker() {
    // given
    pushNamed("q", "done", "dead", "held", "waits");
    advanceSeconds(2);
    Reply done = pop("q", "?worker=w1");
    advanceSeconds(4);
    ackFirst(done, "");
    ackFirst(pop("q", "?worker=w1"), ",'status':'failed','error':'no'");
    ackFirst(pop("q", "?worker=w2"), ",'status':'failed','error':'never'");
    pop("q", "?worker=w2");
    // when
    Reply counts = counts();
    // then
    assertThat(counts.number("/tasks")).isEqualTo(4);
    assertThat(counts.json().at("/complete").asBoolean()).isTrue();
    assertThat(counts.number("/statuses/Complete")).isEqualTo(1);
    assertThat(counts.number("/statuses/Dead")).isEqualTo(1);
    assertThat(counts.number("/statuses/Received")).isEqualTo(1);
    assertThat(counts.number("/statuses/Queued")).isEqualTo(1);
    assertThat(counts.number("/statuses/Failed")).isZero();
    assertThat(counts.number("/attempts")).isEqualTo(4);
    assertThat(counts.number("/retried")).isEqualTo(1);
    // The first waited 2 s, the others 6 s; the first took 4 s, the dead one none.
    assertThat(counts.number("/waitMs")).isEqualTo(14_000 / 3);
    assertThat(counts.number("/workMs")).isEqualTo(2_000);
    assertThat(counts.text("/workers/0/worker")).isEqualTo("w2");
    assertThat(counts.number("/workers/0/tasks")).isEqualTo(2);
    assertThat(counts.number("/workers/0/statuses/Dead")).isEqualTo(1);
    assertThat(counts.text("/workers/1/worker")).isEqualTo("w1");
    assertThat(counts.text("/workers/1/lastAt")).isEqualTo("2026-01-01T00:00:06.000Z");
  }

  @Test
  void shouldKeepAnAnswerForAMoment() {
    // given
    push("q", "1");
    assertThat(counts().number("/tasks")).isEqualTo(1);
    // when
    push("q", "2");
    // then
    assertThat(get("/api/v1/task-counts?queue=q").expect(200).number("/tasks")).isEqualTo(1);
    assertThat(counts().number("/tasks")).isEqualTo(2);
  }

  @Test
  void shouldRefuseQueuesThatAreNotThere() {
    get("/api/v1/task-counts?queue=none").expect(404);
    assertThat(get("/api/v1/task-counts").expect(400).text("/field")).isEqualTo("queue");
    assertThat(get("/api/v1/task-counts?queue=plain").expect(200).number("/tasks")).isZero();
  }
}
