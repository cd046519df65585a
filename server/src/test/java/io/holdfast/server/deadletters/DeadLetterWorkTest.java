package io.holdfast.server.deadletters;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLetters;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.api.dead.RequeueRequest;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.server.HoldfastServer;
import io.holdfast.server.ServerConfig;
import io.holdfast.server.ServerFixture;
import io.holdfast.server.http.Patience;
import io.holdfast.testkit.WaitLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What is done with many dead letters at once, and with one that is changed. */
class DeadLetterWorkTest extends ServerFixture {
  @Override
  protected ServerConfig config() {
    return super.config()
        .patience(Patience.usual().rest(Duration.ofMinutes(1), Duration.ofMillis(20)));
  }

  /** Makes dead letters, each with an error of its own. */
  private void bury(String queue, int count, String error) {
    List<NewMessage> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      messages.add(NewMessage.to(queue, ("{\"n\":" + i + "}").getBytes(StandardCharsets.UTF_8)));
    }
    bury(messages, error);
  }

  private void bury(List<NewMessage> messages, String error) {
    broker.push(new PushRequest(messages, null)).orThrow();
    Popped popped =
        broker.pop(PopRequest.queue(messages.getFirst().queue()).batch(messages.size())).orThrow();
    List<Settle> kills = new ArrayList<>();
    for (int i = 0; i < popped.messages().size(); i++) {
      kills.add(Settle.kill(popped.messages().get(i).handle(), error.replace("$", "" + i)));
    }
    broker.settle(new SettleRequest(kills, false)).orThrow();
  }

  private DeadLetters dead(String queue) {
    return broker.deadLetters(DeadLettersRequest.of(DeadLetterFilter.queue(queue))).orThrow();
  }

  private JsonNode job(String id) {
    return get("/api/v1/jobs/" + id).expect(200).json().at("/job");
  }

  private void await(String id, String state, long done) {
    Awaitility.await()
        .pollInterval(Duration.ofMillis(5))
        .untilAsserted(
            () -> {
              assertThat(job(id).at("/state").asString()).isEqualTo(state);
              assertThat(job(id).at("/done").asLong()).isEqualTo(done);
            });
  }

  @Test
  void shouldRequeueNoMoreThanSoManyASecond() {
    // given
    bury("q", 4, "x");
    // when
    Reply begun = post("/api/v1/dlq/requeue", "{'queue':'q','perSecond':2}").expect(202);
    String id = begun.text("/job/id");
    // then
    assertThat(begun.text("/job/kind")).isEqualTo("requeue");
    assertThat(begun.number("/job/total")).isEqualTo(4);
    for (int done = 1; done <= 4; done++) {
      await(id, "running", done);
      assertThat(dead("q").total()).isEqualTo(4 - done);
      clock.advance(Duration.ofMillis(500));
    }
    await(id, "done", 4);
    assertThat(job(id).at("/endedAt").isNull()).isFalse();
    assertThat(get("/api/v1/jobs").expect(200).text("/jobs/0/id")).isEqualTo(id);
  }

  @Test
  void shouldStopAJobAndKeepWhatItDid() {
    // given
    bury("q", 4, "x");
    String id =
        post("/api/v1/dlq/requeue", "{'queue':'q','perSecond':1}").expect(202).text("/job/id");
    await(id, "running", 1);
    // when
    delete("/api/v1/jobs/" + id).expect(200);
    // then
    await(id, "cancelled", 1);
    assertThat(dead("q").total()).isEqualTo(3);
    delete("/api/v1/jobs/none").expect(404);
    get("/api/v1/jobs/none").expect(404);
  }

  @Test
  void shouldDoManyInTheBackgroundAndLeaveAloneWhatDoesNotMatch() {
    // given
    bury("q", 1_200, "bad $");
    bury("q", 10, "other");
    // when
    String requeue =
        post("/api/v1/dlq/requeue", "{'queue':'q','error':'bad','background':true}")
            .expect(202)
            .text("/job/id");
    await(requeue, "done", 1_200);
    String remove = delete("/api/v1/dlq?queue=q&background=true").expect(202).text("/job/id");
    await(remove, "done", 10);
    // then
    assertThat(dead("q").total()).isZero();
    assertThat(broker.queue("q").orThrow().counts().returned()).isEqualTo(1_200);
  }

  @Test
  void shouldRunOnlySoManyJobsAtOnceAndSayWhatIsWrong() {
    // given
    bury("q", 40, "x");
    for (int i = 0; i < 16; i++) {
      post("/api/v1/dlq/requeue", "{'queue':'q','perSecond':1}").expect(202);
    }
    // then
    assertThat(
            post("/api/v1/dlq/requeue", "{'queue':'q','perSecond':1}").expect(429).text("/error"))
        .contains("at most 16 jobs");
    post("/api/v1/dlq/requeue", "{'queue':'q','perSecond':0}").expect(400);
    post("/api/v1/dlq/requeue", "{'queue':'none','perSecond':1}").expect(404);
    post("/api/v1/dlq/requeue", "{'queue':'q','perSecond':1,'dryRun':true}").expect(200);
  }

  @Test
  void shouldFailAJobWhoseQueueIsGone() {
    // given
    bury("q", 1_500, "x");
    String id =
        post("/api/v1/dlq/requeue", "{'queue':'q','perSecond':1000}").expect(202).text("/job/id");
    await(id, "running", 100);
    // when
    broker.deleteQueue("q").orThrow();
    advanceSeconds(1);
    // then
    Awaitility.await()
        .untilAsserted(() -> assertThat(job(id).at("/state").asString()).isEqualTo("failed"));
    assertThat(job(id).at("/error").asString()).isEqualTo("there is no queue q");
  }

  @Test
  void shouldReplaceADeadLetterByWhatItShouldHaveBeen() {
    // given
    bury(
        List.of(
            NewMessage.to("q", "1".getBytes(StandardCharsets.UTF_8))
                .partition("p")
                .lane(3)
                .headers(Map.of("k", "v"))),
        "bad");
    String id = dead("q").items().getFirst().message().id().toString();
    // when
    Reply replayed =
        post("/api/v1/dlq/" + id + "/replay", "{'payload':{'fixed': true}}").expect(200);
    // then
    assertThat(replayed.text("/result")).isEqualTo("replaced");
    assertThat(dead("q").total()).isZero();
    Reply popped = get("/api/v1/pop/queue/q?batch=10").expect(200);
    assertThat(popped.json().at("/messages").size()).isEqualTo(1);
    assertThat(popped.json().at("/messages/0/data").toString()).isEqualTo("{\"fixed\":true}");
    assertThat(popped.text("/messages/0/partition")).isEqualTo("p");
    assertThat(popped.text("/messages/0/headers/k")).isEqualTo("v");
    assertThat(popped.text("/messages/0/id")).isEqualTo(replayed.text("/replacedBy"));
    post("/api/v1/dlq/" + id + "/replay", "{'payload':1}").expect(404);
    post("/api/v1/dlq/" + id + "/replay", "{'payload':1,'payloadBase64':'AA=='}").expect(400);
  }

  @Test
  void shouldAskBeforeAllGroupsGetWhatStandsForADeadLetter() {
    // given
    bury("q", 1, "bad");
    get("/api/v1/pop/queue/q?consumerGroup=other").expect(200);
    String path =
        "/api/v1/dlq/" + dead("q").items().getFirst().message().id().toString() + "/replay";
    // when
    Reply refused = post(path, "{'payload':2}").expect(409);
    // then
    assertThat(refused.text("/error")).contains("has several groups", "\"allGroups\":true");
    assertThat(dead("q").total()).isEqualTo(1);
    post(path, "{'payload':2,'allGroups':true}").expect(200);
    assertThat(dead("q").total()).isZero();
  }

  @Test
  void shouldLeaveAMessageAloneThatDiedAgainBeforeItsTurn() {
    // given
    bury("q", 1, "timeout");
    DeadLetterFilter filter = DeadLetterFilter.queue("q");
    long untilMs = clock.wallMs();
    for (DeadLetterFilter asked :
        List.of(filter.errorContains("timeout"), filter, filter.died(0, untilMs + 1_000_000))) {
      long beganMs = clock.wallMs();
      // when
      DeadLetterWalk walk =
          new DeadLetterWalk(
              broker,
              asked,
              beganMs,
              one -> {
                broker.requeue(RequeueRequest.of(filter)).orThrow();
                advanceSeconds(1);
                Popped popped = broker.pop(PopRequest.queue("q")).orThrow();
                broker
                    .settle(
                        SettleRequest.of(
                            Settle.kill(popped.messages().getFirst().handle(), "refused")))
                    .orThrow();
                return broker.requeue(RequeueRequest.of(one));
              });
      // then
      assertThat(walk.step(10)).isZero();
      assertThat(dead("q").total()).isEqualTo(1);
    }
  }

  @Test
  void shouldTellWhatTheyDiedOfAsItChanges() {
    // given
    bury("a", 3, "order $ not found");
    bury("b", 1, "disk full");
    // when
    Reply all = get("/api/v1/dlq/errors").expect(200);
    // then
    assertThat(all.number("/total")).isEqualTo(4);
    assertThat(all.flag("/complete")).isTrue();
    assertThat(all.text("/errors/0/error")).isEqualTo("order # not found");
    assertThat(all.text("/errors/0/sample")).isEqualTo("order 2 not found");
    assertThat(all.text("/errors/0/queue")).isEqualTo("a");
    assertThat(all.number("/errors/0/count")).isEqualTo(3);
    assertThat(all.text("/errors/1/error")).isEqualTo("disk full");
    // What is added is counted from there on; what is removed makes it count anew.
    bury("a", 2, "order $ not found");
    advanceSeconds(2);
    assertThat(get("/api/v1/dlq/errors?queue=a").expect(200).number("/errors/0/count"))
        .isEqualTo(5);
    delete("/api/v1/dlq?queue=a&error=order 1".replace(" ", "%20")).expect(200);
    advanceSeconds(2);
    assertThat(get("/api/v1/dlq/errors?queue=a").expect(200).number("/errors/0/count"))
        .isEqualTo(3);
    get("/api/v1/dlq/errors?queue=none").expect(404);
  }

  @Test
  void shouldExportAllThatMatchOneALine() {
    // given
    bury("a", 1_500, "x");
    bury("b", 2, "y");
    // when
    Reply all = get("/api/v1/dlq/export").expect(200);
    Reply some = get("/api/v1/dlq/export?queue=b&error=y").expect(200);
    // then
    String[] lines = all.http().body().split("\n");
    assertThat(lines).hasSize(1_502);
    assertThat(JSON.readTree(lines[1_499]).at("/data/n").asLong()).isEqualTo(1_499);
    assertThat(JSON.readTree(lines[1_500]).at("/queueName").asString()).isEqualTo("b");
    assertThat(some.http().body().split("\n")).hasSize(2);
    assertThat(some.header("Content-Type")).isEqualTo("application/x-ndjson");
    get("/api/v1/dlq/export?queue=none").expect(404);
  }

  /** Takes as much of an export as comes at once. */
  private Socket ask(String path) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4_096);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    socket.setSoTimeout((int) WaitLimits.EVENT.toMillis());
    socket
        .getOutputStream()
        .write(
            ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static boolean isHungUp(Socket socket) {
    try {
      socket.getOutputStream().write(' ');
      return false;
    } catch (IOException gone) {
      return true;
    }
  }

  @Test
  void shouldHangUpOnAClientThatTakesNothing() throws IOException {
    // given
    server.close();
    broker = EmbeddedBroker.open(EngineConfig.inMemory(), clock);
    server =
        HoldfastServer.start(
            config().patience(config().patience().pause(Duration.ofSeconds(2))), broker, clock);
    for (int i = 0; i < 15; i++) {
      bury(List.of(NewMessage.to("q", new byte[1_000_000])), "x");
    }
    // when
    try (Socket socket = ask("/api/v1/dlq/export")) {
      assertThat(socket.getInputStream().read()).isEqualTo('H');
      // then
      Awaitility.await().pollInterval(Duration.ofMillis(20)).until(() -> isHungUp(socket));
    }
    get("/api/v1/dlq/errors").expect(200);
  }
}
