package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.Limits;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.server.http.Patience;
import io.holdfast.testkit.WaitLimits;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients that send byte by byte, never read, or rest where others wait: they have to go. */
@Tag("slow")
class SlowClientTest extends ServerFixture {
  /** Long enough for the first request of a connection to a busy machine. */
  private static final Duration MOMENT = Duration.ofSeconds(2);

  private static final int BYTES_PER_SECOND_MIN = 1_000;
  private static final Duration LOOK = Duration.ofMillis(20);
  private static final Duration TICK = Duration.ofMillis(20);
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final int CONNECTIONS_MAX = 10;
  private static final String HEALTH = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private static final String PUSH = "POST /api/v1/push HTTP/1.1\r\nHost: localhost\r\n";

  private final List<Poll> polls = new ArrayList<>();

  @Override
  protected ServerConfig config() {
    return super.config()
        .patience(new Patience(MOMENT, MOMENT, BYTES_PER_SECOND_MIN, MOMENT, LONG, LOOK))
        .connectionsMax(CONNECTIONS_MAX);
  }

  @AfterEach
  void closePolls() {
    polls.forEach(Poll::close);
  }

  private Poll connect() {
    Poll poll = Poll.connect(server.port());
    polls.add(poll);
    return poll;
  }

  /** Sends a text again and again, a tick apart, until the server hangs up. */
  private static void dribble(Poll poll, String text) {
    long deadline = System.nanoTime() + WaitLimits.EVENT.toNanos();
    try {
      while (poll.isSilentFor(TICK)) {
        assertThat(System.nanoTime()).as("the server hangs up").isLessThan(deadline);
        poll.send(text);
      }
    } catch (UncheckedIOException hungUp) {
      // That is what it waits for.
    }
  }

  @Test
  void shouldHangUpOnAHeadThatComesByteByByte() throws Exception {
    // given
    long begun = System.nanoTime();
    Poll first = connect();
    first.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\nX: ");
    // when
    dribble(first, "x");
    // then
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(MOMENT.dividedBy(2));
    // given
    Poll later = connect();
    later.send(HEALTH);
    later.answer();
    // then
    later.send("G");
    dribble(later, "E");
  }

  @Test
  void shouldHangUpOnABodyThatComesByteByByte() {
    // given
    Poll told = connect();
    told.send(PUSH + "Content-Length: 100000\r\n\r\n{");
    Poll chunked = connect();
    chunked.send(PUSH + "Transfer-Encoding: chunked\r\n\r\n");
    Poll quickAtFirst = connect();
    quickAtFirst.send(PUSH + "Content-Length: 1000000\r\n\r\n" + " ".repeat(900_000));
    // then
    dribble(told, " ");
    dribble(chunked, "1\r\n \r\n");
    dribble(quickAtFirst, " ");
  }

  @Test
  void shouldWaitForABodyThatComesSteadily() throws Exception {
    // given
    Poll poll = connect();
    String body = "{\"items\":[{\"queue\":\"q\",\"payload\":\"" + "x".repeat(40_000) + "\"}]}";
    poll.send(PUSH + "Content-Length: " + body.length() + "\r\n\r\n");
    // when: for longer than a moment, many times as fast as it has to
    int step = 1_000;
    Duration pause = MOMENT.dividedBy(25);
    for (int at = 0; at < body.length(); at += step) {
      poll.send(body.substring(at, Math.min(at + step, body.length())));
      if (at + step < body.length()) {
        assertThat(poll.isSilentFor(pause)).isTrue();
      }
    }
    // then
    assertThat(poll.answer()).as("after longer than a moment").startsWith("HTTP/1.1 201");
  }

  @Test
  void shouldHangUpOnAClientThatDoesNotReadAndTakeBackWhatItGot() throws Exception {
    // given
    byte[] payload = ("\"" + "x".repeat(500_000) + "\"").getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < 20; i++) {
      broker.push(PushRequest.of(NewMessage.to("large", payload))).orThrow();
    }
    Poll deaf = Poll.connectNarrow(server.port());
    polls.add(deaf);
    // when
    for (int i = 0; i < 6; i++) {
      deaf.send(
          "GET /api/v1/pop/queue/large?batch=5&consumerGroup=g"
              + i
              + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
    // then
    await().until(() -> broker.stats().orThrow().totals().released() >= 5);
    Poll other = connect();
    other.send(HEALTH);
    assertThat(other.answer()).startsWith("HTTP/1.1 200");
  }

  @Test
  void shouldMakeRoomForOthersWhenConnectionsRest() throws Exception {
    // given
    Poll parked = connect();
    parked.ask("orders", Limits.WAIT_MS_MAX);
    await().until(() -> broker.stats().orThrow().parkedPops() == 1);
    for (int i = 1; i < CONNECTIONS_MAX; i++) {
      Poll rests = connect();
      rests.send(HEALTH);
      assertThat(rests.answer()).startsWith("HTTP/1.1 200");
    }
    // when
    Poll waits = connect();
    waits.send(HEALTH);
    // then
    assertThat(waits.answer()).startsWith("HTTP/1.1 200");
    assertThat(broker.stats().orThrow().parkedPops()).as("a call that waits is at work").isOne();
  }
}
