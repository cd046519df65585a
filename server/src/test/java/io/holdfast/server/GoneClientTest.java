package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.Limits;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clients that close their connection while their poll is parked. */
class GoneClientTest extends ServerFixture {
  private static final int CLIENTS = 40;

  private Poll park(String queue) {
    int before = parked();
    Poll poll = Poll.start(server.port(), queue, Limits.WAIT_MS_MAX);
    await().until(() -> parked() == before + 1);
    return poll;
  }

  private int parked() {
    return broker.stats().orThrow().parkedPops();
  }

  private void push(String queue) {
    post("/api/v1/push", "{'items':[{'queue':'" + queue + "','payload':1}]}").expect(201);
  }

  @Test
  void shouldForgetThePollOfAClientThatIsGone() {
    // given
    Poll poll = park("orders");
    // when
    poll.close();
    // then
    await().until(() -> parked() == 0);
    push("orders");
    get("/api/v1/pop/queue/orders").expect(200);
  }

  @Test
  void shouldForgetAllClientsThatGoAtOnce() {
    // given
    List<Poll> polls = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      polls.add(park("orders"));
    }
    Poll stays = park("orders");
    // when
    polls.forEach(Poll::close);
    await().until(() -> parked() == 1);
    push("orders");
    // then
    assertThat(answer(stays)).startsWith("HTTP/1.1 200");
    stays.close();
  }

  @Test
  void shouldServeTheNextRequestOfAConnectionThatWaited() throws Exception {
    // given
    try (Poll poll = park("orders")) {
      push("orders");
      assertThat(poll.answer()).startsWith("HTTP/1.1 200");
      // when
      poll.ask("other", Limits.WAIT_MS_MAX);
      await().until(() -> parked() == 1);
      push("other");
      // then
      assertThat(poll.answer()).startsWith("HTTP/1.1 200").contains("\"queue\":\"other\"");
    }
  }

  @Test
  void shouldServeARequestThatWasSentAheadOfTheAnswer() throws Exception {
    // given
    try (Poll poll = park("orders")) {
      poll.ask("other", 0);
      // when
      push("orders");
      // then
      assertThat(poll.answer()).startsWith("HTTP/1.1 200");
      assertThat(poll.answer()).startsWith("HTTP/1.1 204");
    }
  }

  @Test
  void shouldKeepAPollThatOutlivesTheIdleTime() {
    // given
    server.close();
    broker = EmbeddedBroker.open(EngineConfig.at(temp.resolve("data")), clock);
    server =
        HoldfastServer.start(
            ServerConfig.defaults()
                .port(0)
                .readTimeout(Duration.ofMillis(50))
                .idleTimeout(Duration.ofMillis(50), Duration.ofMillis(10)),
            broker);
    Poll idle = Poll.connect(server.port());
    Poll poll = park("orders");
    // when
    assertThat(answer(idle)).isEmpty();
    // then
    assertThat(parked()).isEqualTo(1);
    push("orders");
    assertThat(answer(poll)).startsWith("HTTP/1.1 200");
    poll.close();
  }

  private static String answer(Poll poll) {
    try {
      return poll.answer();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
