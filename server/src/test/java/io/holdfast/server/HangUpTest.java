package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.Broker;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Limits;
import io.holdfast.api.Result;
import io.holdfast.api.Stats;
import io.holdfast.server.http.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that the server has to end by itself, or may not begin. */
@Tag("slow")
class HangUpTest extends ServerFixture {
  private static final int CONNECTIONS_MAX = 8;
  private static final int BODY_MAX = 4_096;
  private static final int CHUNKS = 50_000;

  /** Long enough for the first request of a connection to a busy machine. */
  private static final Duration READ = Duration.ofSeconds(2);

  private static final Duration MOMENT = Duration.ofMillis(300);
  private static final Duration LOOK = Duration.ofMillis(20);
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final String HEALTH = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private static final String HEAD = "POST /api/v1/push HTTP/1.1\r\nHost: localhost\r\n";

  private final List<Poll> polls = new ArrayList<>();

  @Override
  protected ServerConfig config() {
    return super.config()
        .patience(Patience.usual().pause(READ).rest(LONG, LOOK))
        .connectionsMax(CONNECTIONS_MAX)
        .bodyBytesMax(BODY_MAX);
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

  private static String answer(Poll poll) {
    try {
      return poll.answer();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void hangsUp(Poll poll) {
    assertThat(answer(poll)).as("the server hangs up").isEmpty();
  }

  @Test
  void shouldHangUpOnAClientThatNeverSaysAnything() {
    // given
    Poll rests = connect();
    rests.send(HEALTH);
    assertThat(answer(rests)).startsWith("HTTP/1.1 200");
    // when
    Poll silent = connect();
    // then
    hangsUp(silent);
    rests.send(HEALTH);
    assertThat(answer(rests)).as("between requests it may rest").startsWith("HTTP/1.1 200");
  }

  @Test
  void shouldServeNoMoreConnectionsThanItMay() {
    // given
    for (int i = 0; i < CONNECTIONS_MAX; i++) {
      connect().ask("orders", Limits.WAIT_MS_MAX);
    }
    Awaitility.await().until(() -> broker.stats().orThrow().parkedPops() == CONNECTIONS_MAX);
    // when
    Poll waits = connect();
    waits.send(HEALTH);
    // then
    assertThat(waits.isSilentFor(MOMENT)).isTrue();
    polls.getFirst().close();
    assertThat(answer(waits)).startsWith("HTTP/1.1 200");
  }

  @Test
  void shouldNotLetSilentClientsKeepOthersOut() {
    // given
    for (int i = 0; i < CONNECTIONS_MAX + 2; i++) {
      connect();
    }
    // when
    Poll asks = connect();
    asks.send(HEALTH);
    // then
    assertThat(answer(asks)).startsWith("HTTP/1.1 200");
  }

  @Test
  void shouldHangUpAfterABodyThatIsTooLarge() {
    // given
    Poll told = connect();
    Poll chunked = connect();
    String part = "x".repeat(BODY_MAX / 2);
    String body = part.repeat(3);
    // when
    told.send(HEAD + "Content-Length: " + body.length() + "\r\n\r\n" + body);
    chunked.send(
        HEAD
            + "Transfer-Encoding: chunked\r\n\r\n"
            + (Integer.toHexString(part.length()) + "\r\n" + part + "\r\n").repeat(3)
            + "0\r\n\r\n");
    // then
    for (Poll poll : List.of(told, chunked)) {
      assertThat(answer(poll)).startsWith("HTTP/1.1 413").containsIgnoringCase("connection: close");
      hangsUp(poll);
    }
  }

  @Test
  void shouldNotTakeABodyThatIsTooLargeForRequests() {
    // given
    Poll poll = connect();
    String body = "x".repeat(BODY_MAX) + "\r\n" + HEALTH;
    // when
    poll.send(HEAD + "Content-Length: " + (body.length() + BODY_MAX) + "\r\n\r\n" + body);
    // then
    assertThat(answer(poll)).startsWith("HTTP/1.1 413");
    hangsUp(poll);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api/v1/push", "/nowhere"})
  void shouldNotReadABodyWithoutEnd(String path) {
    // given
    Poll poll = connect();
    poll.send(
        "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
    String chunk = Integer.toHexString(BODY_MAX) + "\r\n" + "x".repeat(BODY_MAX) + "\r\n";
    // when
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < CHUNKS; i++) {
                poll.send(chunk);
              }
            })
        // then
        .as("the server hangs up")
        .isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void shouldHangUpWhenTheClientAsksForIt() {
    // given
    Poll poll = connect();
    // when
    poll.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    // then
    assertThat(answer(poll)).startsWith("HTTP/1.1 200").containsIgnoringCase("connection: close");
    hangsUp(poll);
  }

  @Test
  void shouldRestWhileItDrainsThoughItWasInterrupted() throws Exception {
    // given
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch told = new CountDownLatch(1);
    HoldfastServer slow =
        HoldfastServer.start(
            ServerConfig.defaults().port(0), new SlowToTell(broker, asked, told), clock);
    Poll poll = Poll.connect(slow.port());
    polls.add(poll);
    poll.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    asked.await();
    AtomicBoolean interrupted = new AtomicBoolean();
    // when
    Thread closer =
        Thread.ofPlatform()
            .start(
                () -> {
                  Thread.currentThread().interrupt();
                  slow.close();
                  interrupted.set(Thread.currentThread().isInterrupted());
                });
    // then
    Awaitility.await().until(() -> closer.getState() == Thread.State.TIMED_WAITING);
    told.countDown();
    assertThat(answer(poll)).startsWith("HTTP/1.1 503");
    closer.join();
    assertThat(interrupted).isTrue();
  }

  @Test
  void shouldStopInAThreadThatWasInterrupted() {
    // given
    HoldfastServer other = HoldfastServer.start(ServerConfig.defaults().port(0), broker, clock);
    Poll rests = Poll.connect(other.port());
    polls.add(rests);
    rests.send(HEALTH);
    assertThat(answer(rests)).startsWith("HTTP/1.1 200");
    // when
    Thread.currentThread().interrupt();
    other.close();
    // then
    assertThat(Thread.interrupted()).isTrue();
    hangsUp(rests);
  }

  /** A broker that is not closed, and takes its time to tell how it is. */
  private static final class SlowToTell extends ForwardingBroker {
    private final CountDownLatch asked;
    private final CountDownLatch told;

    SlowToTell(Broker target, CountDownLatch asked, CountDownLatch told) {
      super(target);
      this.asked = asked;
      this.told = told;
    }

    @Override
    public Result<Stats> stats() {
      asked.countDown();
      try {
        told.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      return super.stats();
    }

    @Override
    public void close() {}
  }

  @Test
  void shouldHangUpAfterTheAnswerToAParkedPollWhenItDrains() {
    // given
    Poll poll = connect();
    poll.ask("orders", Limits.WAIT_MS_MAX);
    Awaitility.await().until(() -> broker.stats().orThrow().parkedPops() == 1);
    // when
    server.close();
    // then
    assertThat(answer(poll)).containsIgnoringCase("connection: close");
    hangsUp(poll);
  }
}
