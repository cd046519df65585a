package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Result;
import io.holdfast.api.Stats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the server tells of its health, in each of its states. */
class HealthTest extends ServerFixture {
  private @Nullable HoldfastServer first;

  @Test
  void shouldBeWellWhileItServes() {
    // when
    Reply health = get("/health").expect(200);
    // then
    assertThat(health.text("/status")).isEqualTo("healthy");
    assertThat(health.text("/durability")).isEqualTo("fsync");
    assertThat(health.text("/engine")).isEqualTo("holdfast");
    assertThat(health.text("/database")).isEqualTo("connected");
    assertThat(health.text("/version")).isNotEmpty();
    assertThat(health.json().get("uptimeSeconds").isIntegralNumber()).isTrue();
    assertThat(get("/health/live").expect(200).text("/status")).isEqualTo("live");
    assertThat(get("/health/ready").expect(200).text("/status")).isEqualTo("ready");
  }

  @Test
  void shouldWarnOfAClockThatIsFarAhead() {
    // given
    assertThat(get("/health").expect(200).number("/clockAheadSeconds")).isZero();
    assertThat(get("/health").expect(200).json().has("warning")).isFalse();
    clock.jumpWall(Duration.ofDays(-400));
    serve(broker);
    // when
    Reply health = get("/health").expect(200);
    // then
    assertThat(health.text("/status")).isEqualTo("healthy");
    assertThat(health.number("/clockAheadSeconds")).isEqualTo(400 * 86_400);
    assertThat(health.text("/warning"))
        .startsWith("The broker's time is 400 days ahead of the system clock.")
        .contains("repair-clock");
    assertThat(get("/metrics").expect(200).http().body())
        .contains("holdfast_clock_ahead_seconds 3.456E7");
    Reply now = get("/api/v1/status/now").expect(200);
    assertThat(now.text("/attention/0/kind")).isEqualTo("clock");
    assertThat(get("/api/v1/system").expect(200).number("/clockAheadSeconds"))
        .isEqualTo(400 * 86_400);
  }

  @Test
  void shouldWarnOfAClockThatIsFarBehind() {
    clock.jumpWall(Duration.ofHours(5));
    serve(broker);
    assertThat(get("/health").expect(200).text("/warning"))
        .startsWith("The broker's time is 5 hours behind the system clock");
  }

  @Test
  void shouldLiveButNotBeReadyWhenTheBrokerHasStopped() {
    // given
    serve(
        new ForwardingBroker(broker) {
          @Override
          public Result<Stats> stats() {
            return Result.refused(ErrorCode.SHARD_STOPPED, "the disk is full");
          }
        });
    // when
    Reply health = get("/health").expect(503);
    // then
    assertThat(health.text("/status")).isEqualTo("unhealthy");
    assertThat(health.text("/database")).isEqualTo("disconnected");
    assertThat(health.text("/error")).isEqualTo("the disk is full");
    assertThat(health.text("/code")).isEqualTo("SHARD_STOPPED");
    assertThat(get("/health/ready").expect(503).text("/status")).isEqualTo("not_ready");
    get("/health/live").expect(200);
  }

  @Test
  void shouldBeWellAlsoWithTooMuchToDo() {
    // given
    serve(
        new ForwardingBroker(broker) {
          @Override
          public Result<Stats> stats() {
            return Result.refused(ErrorCode.OVERLOADED, "too much waits");
          }
        });
    // when
    Reply health = get("/health").expect(200);
    // then
    assertThat(health.text("/status")).isEqualTo("healthy");
    assertThat(health.text("/database")).isEqualTo("connected");
    get("/health/ready").expect(200);
  }

  @Test
  void shouldAskTheBrokerOnceForMany() throws Exception {
    // given
    AtomicInteger asked = new AtomicInteger();
    CountDownLatch mayTell = new CountDownLatch(1);
    serve(
        new ForwardingBroker(broker) {
          @Override
          public Result<Stats> stats() {
            asked.incrementAndGet();
            await().until(() -> mayTell.getCount() == 0);
            return super.stats();
          }
        });
    List<Future<Reply>> replies = new ArrayList<>();
    // when
    try (ExecutorService askers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 50; i++) {
        String path = i % 2 == 0 ? "/health" : "/health/ready";
        replies.add(askers.submit(() -> get(path)));
      }
      await().until(() -> asked.get() > 0);
      mayTell.countDown();
      // then
      for (Future<Reply> reply : replies) {
        reply.get().expect(200);
      }
    }
    assertThat(asked).hasValueLessThan(25);
    // It looks again after a while.
    int before = asked.get();
    await()
        .untilAsserted(
            () -> {
              get("/health").expect(200);
              assertThat(asked).hasValueGreaterThan(before);
            });
  }

  @Test
  void shouldLiveButNotBeReadyWhileItDrains() throws InterruptedException {
    // given
    CountDownLatch closing = new CountDownLatch(1);
    CountDownLatch mayClose = new CountDownLatch(1);
    serve(
        new ForwardingBroker(broker) {
          @Override
          public void close() {
            closing.countDown();
            await().until(() -> mayClose.getCount() == 0);
            super.close();
          }
        });
    // when
    Thread stopping = Thread.ofVirtual().start(server::close);
    closing.await();
    // then
    assertThat(get("/health").expect(503).text("/code")).isEqualTo("CLOSED");
    assertThat(get("/health/ready").expect(503).text("/error"))
        .isEqualTo("the broker is shutting down");
    get("/health/live").expect(200);
    assertThat(post("/queue/q/pop").expect(503).text("/code")).isEqualTo("CLOSED");
    mayClose.countDown();
    stopping.join();
  }

  /** Serves another broker from here on. */
  private void serve(Broker other) {
    first = server;
    server = HoldfastServer.start(ServerConfig.defaults().port(0), other);
  }

  @AfterEach
  void stopFirst() {
    if (first != null) {
      first.close();
    }
  }
}
