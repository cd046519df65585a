package io.holdfast.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.MessagesFixture;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The life of tasks, as HTTP tells it. */
class TaskRoutesTest extends MessagesFixture {
  @BeforeEach
  void track() {
    configure("q", "'track':true,'delivery':'shared','retryLimit':1,'retryDelay':0").expect(200);
  }

  private Reply task(String id) {
    return get("/api/v1/tasks/" + id).expect(200);
  }

  private Reply start(Reply popped, String more) {
    return post(
        "/api/v1/tasks/" + popped.text("/messages/0/id") + "/start",
        "{'leaseId':'" + popped.text("/leaseId") + "'" + more + "}");
  }

  @Test
  void shouldTellTheLifeOfATask() {
    // given
    String id = push("q", "1").text("/0/message_id");
    assertThat(task(id).text("/status")).isEqualTo("Queued");
    assertThat(task(id).text("/publishedAt")).isEqualTo("2026-01-01T00:00:00.000Z");
    advanceSeconds(1);
    Reply popped = pop("q", "?worker=w1");
    assertThat(task(id).text("/status")).isEqualTo("Received");
    // when
    advanceSeconds(1);
    Reply running =
        start(
                popped,
                ",'worker':'w2','priority':0,'seq':%d,'partitionId':'%s'"
                    .formatted(
                        popped.number("/messages/0/seq"), popped.text("/messages/0/partitionId")))
            .expect(200);
    advanceSeconds(1);
    restart();
    ackFirst(popped, "");
    Reply complete = task(id);
    // then
    assertThat(running.text("/status")).isEqualTo("Running");
    assertThat(running.text("/worker")).isEqualTo("w2");
    assertThat(running.text("/startedAt")).isEqualTo("2026-01-01T00:00:02.000Z");
    assertThat(complete.text("/status")).isEqualTo("Complete");
    assertThat(complete.text("/receivedAt")).isEqualTo("2026-01-01T00:00:01.000Z");
    assertThat(complete.text("/endedAt")).isEqualTo("2026-01-01T00:00:03.000Z");
    assertThat(complete.number("/attempts")).isEqualTo(1);
    assertThat(complete.text("/groups/0/status")).isEqualTo("Complete");
  }

  @Test
  void shouldTellOfFailures() {
    // given
    String id = push("q", "1").text("/0/message_id");
    // when
    ackFirst(pop("q"), ",'status':'failed','error':'no'");
    Reply failed = task(id);
    ackFirst(pop("q"), ",'status':'failed','error':'never'");
    Reply dead = task(id);
    // then
    assertThat(failed.text("/status")).isEqualTo("Failed");
    assertThat(failed.text("/error")).isEqualTo("no");
    assertThat(dead.text("/status")).isEqualTo("Dead");
    assertThat(dead.text("/error")).isEqualTo("never");
    assertThat(dead.number("/attempts")).isEqualTo(2);
  }

  @Test
  void shouldListTasks() {
    // given
    pushNamed("q", "a", "b", "c");
    ackFirst(pop("q"), "");
    pop("q");
    // when
    Reply first = get("/api/v1/tasks?queue=q&limit=2").expect(200);
    Reply rest = get("/api/v1/tasks?queue=q&limit=2&after=" + first.text("/next")).expect(200);
    // then
    assertThat(first.text("/tasks/0/transactionId")).isEqualTo("a");
    assertThat(first.text("/tasks/1/status")).isEqualTo("Received");
    assertThat(rest.text("/tasks/0/transactionId")).isEqualTo("c");
    assertThat(rest.json().at("/next").isNull()).isTrue();
    Reply complete = get("/api/v1/tasks?queue=q&status=Complete").expect(200);
    assertThat(complete.json().at("/tasks")).hasSize(1);
  }

  @Test
  void shouldRefuseWhatIsNotSo() {
    // given
    String id = push("q", "1").text("/0/message_id");
    Reply popped = pop("q");
    // then
    get("/api/v1/tasks/" + new UUID(0, 7)).expect(404);
    get("/api/v1/tasks/x").expect(400);
    assertThat(get("/api/v1/tasks").expect(400).text("/field")).isEqualTo("queue");
    assertThat(get("/api/v1/tasks?queue=q&status=done").expect(400).text("/field"))
        .isEqualTo("status");
    assertThat(start(popped, ",'seq':99").expect(400).text("/field")).isEqualTo("seq");
    assertThat(start(popped, ",'partitionId':'99'").expect(400).text("/field"))
        .isEqualTo("partitionId");
    assertThat(post("/api/v1/tasks/" + id + "/start", "{}").expect(400).text("/field"))
        .isEqualTo("leaseId");
    assertThat(
            post("/api/v1/tasks/" + id + "/start", "{'leaseId':'none'}").expect(409).text("/code"))
        .isEqualTo("STALE_LEASE");
    assertThat(task(id).text("/status")).isEqualTo("Received");
  }
}
