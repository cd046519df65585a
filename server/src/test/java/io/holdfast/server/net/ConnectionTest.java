package io.holdfast.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.json.Schema;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.HangUp;
import io.holdfast.server.http.Patience;
import io.holdfast.server.http.Route;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Requests and answers on one connection: their order, their deadlines, and back-pressure. */
class ConnectionTest extends ListenerFixture {
  /** Long enough for a request on a busy machine. */
  private static final Duration MOMENT = Duration.ofSeconds(1);

  private static final int LARGE = 1_000_000;

  private final CountDownLatch go = new CountDownLatch(1);
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger undone = new AtomicInteger();

  @Override
  protected List<Route> routes() {
    return List.of(
        Route.get("/n/{n}", Access.READ, "", "", call -> text("<" + call.part("n") + ">")),
        Route.get("/slow", Access.READ, "", "", call -> slow()),
        Route.get("/large", Access.READ, "", "", call -> text("x".repeat(LARGE) + "end")),
        Route.get("/taken", Access.CONSUME, "", "", call -> taken()),
        Route.get("/stream", Access.READ, "", "", call -> stream(new AtomicInteger())),
        Route.post("/echo", Access.PUSH, "", "", call -> Answer.text("x", call.body()))
            .body(Schema.fields()));
  }

  @Override
  protected Patience patience() {
    return new Patience(
        MOMENT, MOMENT, 1_000, MOMENT, Duration.ofMinutes(1), Duration.ofMillis(20));
  }

  private Answer slow() {
    asked.incrementAndGet();
    try {
      go.await();
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
    return text("<slow>");
  }

  private Answer taken() {
    return text("x".repeat(20 * LARGE) + "<end>").undoneBy(undone::incrementAndGet);
  }

  @Test
  void shouldAnswerPipelinedRequestsInTheirOrder() {
    // given
    int count = 2_000;
    String requests =
        IntStream.range(0, count).mapToObj(i -> get("/n/" + i)).collect(Collectors.joining());
    // when
    Client client = connect();
    Thread.ofVirtual().start(() -> client.send(get("/slow") + requests));
    await().until(() -> asked.get() == 1);
    go.countDown();
    // then
    String all = client.readTo("<" + (count - 1) + ">");
    String bodies = all.replaceAll("(?s)HTTP/1\\.1 200.*?\r\n\r\n", "");
    assertThat(bodies)
        .isEqualTo(
            "<slow>"
                + IntStream.range(0, count)
                    .mapToObj(i -> "<" + i + ">")
                    .collect(Collectors.joining()));
    await().until(() -> traffic.running() == 0);
  }

  @Test
  void shouldSendALargeAnswerInPieces() {
    Client client = connect().send(get("/large") + get("/n/1"));
    assertThat(client.readTo("<1>")).hasSizeGreaterThan(LARGE).contains("xend" + "HTTP/1.1 200");
  }

  @Test
  void shouldSendLargeAnswersToAClientThatKeepsUp() {
    for (int i = 0; i < 20; i++) {
      String answer = connect().send(head("/large", "Connection: close")).rest();
      assertThat(answer).hasSizeGreaterThan(LARGE).endsWith("xend");
    }
    assertThat(connect().send(head("/taken", "Connection: close")).rest()).endsWith("<end>");
    assertThat(undone.get()).isZero();
  }

  @Test
  void shouldAnswerAHeadWithoutTheBody() {
    String head = get("/large").replace("GET", "HEAD");
    Client client = connect().send(head + get("/stream").replace("GET", "HEAD") + get("/n/1"));
    String all = client.readTo("<1>");
    assertThat(all).contains("Content-Length: " + (LARGE + 3)).doesNotContain("xxx", "yyy");
    assertThat(all.split("HTTP/1\\.1 200")).hasSize(4);
  }

  @Test
  void shouldHangUpOnAClientThatReadsNothing() {
    // given
    Client deaf = connect().send(get("/taken"));
    Client streaming = connect().send(get("/stream"));
    // then
    await().until(() -> traffic.hangUps(HangUp.UNREAD) == 2);
    await().until(() -> undone.get() == 1);
    await().until(() -> traffic.running() == 0 && traffic.connections() == 0);
    deaf.close();
    streaming.close();
  }

  @Test
  void shouldHangUpOnHeadsAndBodiesThatDoNotCome() {
    // given
    Client silent = connect();
    Client head = connect().send("GET /n/1 HTTP/1.1\r\nHo");
    Client body = connect().send(post("/echo", "x".repeat(10)).substring(0, 60));
    Client rests = connect().send(get("/n/1"));
    Client next = connect().send(get("/n/1") + "GE");
    // then
    assertThat(silent.rest()).isEmpty();
    assertThat(head.rest()).isEmpty();
    assertThat(body.rest()).isEmpty();
    assertThat(next.rest()).endsWith("<1>");
    assertThat(traffic.hangUps(HangUp.SLOW)).isEqualTo(4);
    assertThat(rests.send(get("/n/2")).readTo("<2>")).contains("<1>");
  }

  @Test
  void shouldAnswerBeforeABodyThatIsNotNeeded() {
    // given
    Client client = connect();
    // when
    client.send("POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n");
    // then
    assertThat(client.readTo("}")).startsWith("HTTP/1.1 404").doesNotContain("close");
    assertThat(client.send("12345" + get("/n/1")).readTo("<1>")).startsWith("HTTP/1.1 200");
  }

  @Test
  void shouldForgetRequestsOfAClientThatIsGone() {
    // given
    Client client = connect().send(get("/slow") + post("/echo", "abc").repeat(50));
    await().until(() -> asked.get() == 1);
    // when
    client.reset();
    await().until(() -> traffic.connections() == 0);
    go.countDown();
    // then
    await().until(() -> traffic.running() == 0);
    assertThat(statuses).isEmpty();
  }
}
