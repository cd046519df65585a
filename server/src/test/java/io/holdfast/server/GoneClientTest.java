package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.Limits;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.server.http.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients that close their connection while their poll is parked. */
@Tag("slow")
class GoneClientTest extends ServerFixture {
  private static final int CLIENTS = 40;

  /** Long enough for the first request of a connection to a busy machine. */
  private static final Duration MOMENT = Duration.ofSeconds(2);

  private static final Duration LOOK = Duration.ofMillis(10);
  private static final Duration LONG = Duration.ofMinutes(10);

  private Poll park(String queue) {
    int before = parked();
    Poll poll = Poll.start(server.port(), queue, Limits.WAIT_MS_MAX);
    await().until(() -> parked() == before + 1);
    return poll;
  }

  private static ConditionFactory await() {
    return Awaitility.await().pollInterval(Duration.ofMillis(5));
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
  void shouldGiveWhatComesToTheOthersWhileClientsGo() throws Exception {
    for (int i = 0; i < CLIENTS; i++) {
      // given
      Poll goes = park("orders" + i);
      Poll stays = park("orders" + i);
      // when
      goes.close();
      push("orders" + i);
      // then
      CompletableFuture<String> answer =
          CompletableFuture.supplyAsync(() -> answer(stays), Thread::startVirtualThread);
      try {
        answer.get(5, TimeUnit.SECONDS);
      } catch (TimeoutException unlucky) {
        // It was written to the other one before that was seen to be gone; its lease tells.
        advanceSeconds(301);
      }
      assertThat(answer.get()).startsWith("HTTP/1.1 200");
      stays.close();
      await().until(() -> parked() == 0);
    }
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
    restart(ServerConfig.defaults().patience(Patience.usual().pause(MOMENT).rest(MOMENT, LOOK)));
    Poll poll = park("orders");
    Poll idle = Poll.start(server.port(), "other", 0);
    // when
    assertThat(answer(idle)).startsWith("HTTP/1.1 204");
    assertThat(answer(idle)).as("the server hangs up").isEmpty();
    // then
    assertThat(parked()).isEqualTo(1);
    push("orders");
    assertThat(answer(poll)).startsWith("HTTP/1.1 200");
    poll.close();
  }

  @Test
  void shouldHangUpOnAClientThatStopsInTheMiddleOfARequest() {
    // given
    restart(ServerConfig.defaults().patience(Patience.usual().pause(MOMENT).rest(LONG, LOOK)));
    Poll idle = Poll.start(server.port(), "other", 0);
    assertThat(answer(idle)).startsWith("HTTP/1.1 204");
    Poll body = Poll.connect(server.port());
    Poll head = Poll.connect(server.port());
    // when
    body.send("POST /api/v1/push HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{");
    head.send("GET /api/v1/pop/queue/orders HTTP/1.1\r\nHost: loc");
    // then
    assertThat(answer(body)).isEmpty();
    assertThat(answer(head)).isEmpty();
    idle.ask("other", 0);
    assertThat(answer(idle)).as("between requests it may rest").startsWith("HTTP/1.1 204");
    idle.close();
  }

  private void restart(ServerConfig config) {
    server.close();
    broker = EmbeddedBroker.open(EngineConfig.inMemory(), clock);
    server = HoldfastServer.start(config.port(0), broker);
  }

  private static String answer(Poll poll) {
    try {
      return poll.answer();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
