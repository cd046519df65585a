package io.holdfast.server.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.server.ServerFixture;
import io.holdfast.workflow.Activity;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.Retry;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Flows, as HTTP tells them. */
@Tag("slow")
class FlowRoutesTest extends ServerFixture {
  private static final Activity<String, String> BROKEN =
      Activity.named(
          "broken",
          String.class,
          String.class,
          text -> {
            throw new IllegalStateException("no " + text);
          });
  private static final Orchestration<String, String> WAITS =
      Orchestration.named(
          "waits",
          String.class,
          String.class,
          (flow, text) -> {
            flow.status("here");
            return text + flow.event("go", String.class).await();
          });
  private static final Orchestration<String, String> TRIES =
      Orchestration.named(
          "tries",
          String.class,
          String.class,
          (flow, text) ->
              flow.call(BROKEN, text, Retry.times(9).every(Duration.ofHours(1))).await());
  private static final Orchestration<String, String> FAILS =
      Orchestration.named(
          "fails", String.class, String.class, (flow, text) -> flow.call(BROKEN, text).await());
  private static final Orchestration<String, String> PARENT =
      Orchestration.named(
          "parent",
          String.class,
          String.class,
          (flow, text) -> flow.sub(WAITS, "child", text).await());

  private Flows flows;

  @BeforeEach
  void serve() {
    flows = Flows.on(broker).register(BROKEN, WAITS, TRIES, FAILS, PARENT).serve();
  }

  @AfterEach
  void stop() {
    flows.close();
  }

  private Reply start(String name, String id) {
    return post("/api/v1/flows", "{'name':'%s','id':'%s','input':'x'}".formatted(name, id));
  }

  private Reply show(String id) {
    return get("/api/v1/flows/" + id);
  }

  private void awaitStatus(String id, String status) {
    await().until(() -> show(id).status() == 200 && show(id).text("/status").equals(status));
  }

  private void awaitWaiting(String id) {
    await().until(() -> show(id).status() == 200 && show(id).number("/waitsForInAll") > 0);
  }

  @Test
  void shouldStartShowAndRaise() {
    // when
    assertThat(start("waits", "w").expect(200).flag("/started")).isTrue();
    assertThat(start("waits", "w").expect(200).flag("/started")).isFalse();
    Reply other = start("tries", "w").expect(409);
    awaitWaiting("w");
    Reply shown = show("w");
    // then
    assertThat(other.text("/code")).isEqualTo("CONFLICT");
    assertThat(other.text("/error")).contains("exists, and is another one: waits");
    assertThat(shown.text("/status")).isEqualTo("running");
    assertThat(shown.text("/label")).isEqualTo("here");
    assertThat(shown.text("/version")).isEqualTo("1.0");
    assertThat(shown.text("/waitsFor/0/kind")).isEqualTo("event");
    assertThat(shown.text("/waitsFor/0/name")).isEqualTo("go");
    assertThat(shown.text("/waitsFor/0/since")).isNotEmpty();
    assertThat(shown.number("/executions/0/number")).isEqualTo(1);
    // when
    post("/api/v1/flows/w/raise", "{'name':'go','data':'!','eventId':'1'}").expect(200);
    post("/api/v1/flows/w/raise", "{'name':'go','data':'?','eventId':'1'}").expect(200);
    awaitStatus("w", "completed");
    // then
    assertThat(show("w").text("/output")).isEqualTo("x!");
  }

  @Test
  void shouldListPageByPage() {
    // given
    for (int i = 0; i < 3; i++) {
      start("waits", "w" + i).expect(200);
      awaitWaiting("w" + i);
    }
    start("fails", "f").expect(200);
    awaitStatus("f", "failed");
    // when
    Reply first = get("/api/v1/flows?limit=2").expect(200);
    Reply second = get("/api/v1/flows?limit=2&after=" + first.text("/next")).expect(200);
    // then
    assertThat(first.text("/flows/1/id")).isEqualTo("w1");
    assertThat(second.text("/flows/0/id")).isEqualTo("w2");
    assertThat(second.text("/flows/1/id")).isEqualTo("f");
    assertThat(second.json().get("next").isNull()).isTrue();
    assertThat(get("/api/v1/flows?status=failed").json().get("flows")).hasSize(1);
    assertThat(get("/api/v1/flows?name=waits").json().get("flows")).hasSize(3);
    assertThat(get("/api/v1/flows?after=nonsense").expect(400).text("/field")).isEqualTo("after");
    assertThat(get("/api/v1/flows?status=Failed").expect(400).text("/error"))
        .contains("expected one of pending, running");
  }

  @Test
  void shouldCountFlowsAndWhatWaits() {
    // given
    start("waits", "w").expect(200);
    awaitWaiting("w");
    start("fails", "f").expect(200);
    awaitStatus("f", "failed");
    // when
    Reply counts = get("/api/v1/flow-counts").expect(200);
    // then
    assertThat(counts.number("/flows/running")).isEqualTo(1);
    assertThat(counts.number("/flows/failed")).isEqualTo(1);
    assertThat(counts.number("/flows/completed")).isZero();
    assertThat(counts.flag("/exact")).isTrue();
    assertThat(counts.text("/queues/0/queue")).isEqualTo("flows");
    assertThat(counts.text("/queues/1/queue")).isEqualTo("flows.work");
  }

  @Test
  void shouldTellWhyAnActivityIsNotDone() {
    // given
    start("tries", "t").expect(200);
    await()
        .until(
            () -> show("t").status() == 200 && show("t").number("/waitsFor/0/work/failures") == 1);
    // then
    Reply shown = show("t");
    assertThat(shown.text("/waitsFor/0/kind")).isEqualTo("call");
    assertThat(shown.text("/waitsFor/0/work/error")).contains("no x");
    assertThat(shown.text("/waitsFor/0/work/state")).isEqualTo("returned");
    assertThat(shown.text("/waitsFor/0/work/againAt")).isNotEmpty();
  }

  @Test
  void shouldTellTheHistoryAndTheFamily() {
    // given
    start("parent", "p").expect(200);
    awaitWaiting("child");
    // when
    Reply history = get("/api/v1/flows/p/history?limit=1").expect(200);
    Reply rest = get("/api/v1/flows/p/history?from=" + history.number("/next")).expect(200);
    Reply tree = get("/api/v1/flows/p/tree").expect(200);
    // then
    assertThat(history.text("/events/0/kind")).isEqualTo("Started");
    assertThat(history.text("/events/0/payload")).isEqualTo("x");
    assertThat(rest.text("/events/0/words")).isEqualTo("sub-flow 'waits' as child");
    assertThat(tree.text("/children/0/id")).isEqualTo("child");
    assertThat(show("child").text("/parent")).isEqualTo("p");
    assertThat(get("/api/v1/flows/p/history?execution=2").expect(404).text("/error"))
        .contains("executions 1 to 1");
  }

  @Test
  void shouldSuspendResumeCancelTerminateAndRetry() {
    // given
    start("waits", "w").expect(200);
    awaitWaiting("w");
    // when
    post("/api/v1/flows/w/suspend", "{'reason':'lunch'}").expect(200);
    awaitStatus("w", "suspended");
    assertThat(show("w").text("/reason")).isEqualTo("lunch");
    post("/api/v1/flows/w/resume").expect(200);
    awaitStatus("w", "running");
    Reply wrong = post("/api/v1/flows/w/retry").expect(409);
    post("/api/v1/flows/w/cancel").expect(200);
    awaitStatus("w", "cancelled");
    Reply late = post("/api/v1/flows/w/terminate", "{}").expect(409);
    // then
    assertThat(wrong.text("/code")).isEqualTo("WRONG_STATE");
    assertThat(wrong.text("/error"))
        .isEqualTo("flow w is RUNNING, but only [BLOCKED, FAILED] can be retried");
    assertThat(late.text("/error")).contains("flow w is CANCELLED");
    // when
    start("fails", "f").expect(200);
    awaitStatus("f", "failed");
    assertThat(show("f").text("/failure/message")).isEqualTo("no x");
    long length = get("/api/v1/flows/f/history").number("/length");
    post("/api/v1/flows/f/retry", "{'from':1}").expect(200);
    await().until(() -> get("/api/v1/flows/f/history").number("/length") > length + 1);
    assertThat(get("/api/v1/flows/f/history?from=1&limit=1").number("/events/0/voidSince"))
        .isEqualTo(length);
    start("waits", "t").expect(200);
    awaitWaiting("t");
    post("/api/v1/flows/t/terminate", "{'reason':'enough'}").expect(200);
    awaitStatus("t", "terminated");
  }

  @Test
  void shouldDeleteAndPurge() {
    // given
    start("parent", "p").expect(200);
    awaitWaiting("child");
    start("fails", "f").expect(200);
    awaitStatus("f", "failed");
    // then
    assertThat(delete("/api/v1/flows/p").expect(409).text("/error"))
        .contains("flow p is RUNNING; only flows that have ended are deleted");
    assertThat(delete("/api/v1/flows/p?force=true").expect(409).text("/code"))
        .isEqualTo("HAS_CHILDREN");
    assertThat(delete("/api/v1/flows/p?force=true&cascade=true").expect(200).number("/deleted"))
        .isEqualTo(2);
    assertThat(delete("/api/v1/flows/p").expect(404).text("/error"))
        .isEqualTo("there is no flow with the id p");
    assertThat(delete("/api/v1/flows").expect(400).text("/error")).contains("expected a status");
    assertThat(delete("/api/v1/flows?status=running").expect(400).text("/field"))
        .isEqualTo("status");
    assertThat(delete("/api/v1/flows?name=fails&dryRun=true").expect(200).number("/matched"))
        .isEqualTo(1);
    show("f").expect(200);
    assertThat(
            delete("/api/v1/flows?status=failed&endedBefore=2100-01-01T00:00:00Z")
                .expect(200)
                .number("/deleted"))
        .isEqualTo(1);
    show("f").expect(404);
  }

  @Test
  void shouldNameWhatIsWrongWithAStart() {
    assertThat(post("/api/v1/flows", "{'name':'waits'}").expect(400).text("/field"))
        .isEqualTo("id");
    assertThat(post("/api/v1/flows", "{'id':'w'}").expect(400).text("/field")).isEqualTo("name");
    assertThat(
            post("/api/v1/flows", "{'name':'waits','id':'%s'}".formatted("w".repeat(300)))
                .expect(400)
                .text("/error"))
        .isEqualTo("id: expected 1 to 200 characters, but got 300");
    assertThat(post("/api/v1/flows/nobody/cancel").expect(404).text("/code"))
        .isEqualTo("NOT_FOUND");
    assertThat(post("/api/v1/flows/w/raise", "{'data':1}").expect(400).text("/field"))
        .isEqualTo("name");
    assertThat(post("/api/v1/flows/w/retry", "{'from':0}").expect(400).text("/field"))
        .isEqualTo("from");
  }
}
