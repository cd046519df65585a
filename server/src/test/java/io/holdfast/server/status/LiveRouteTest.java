package io.holdfast.server.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.Broker;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Result;
import io.holdfast.api.Stats;
import io.holdfast.server.HoldfastServer;
import io.holdfast.server.ServerConfig;
import io.holdfast.server.ServerFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Whoever listens hears how the broker is, and no longer than they listen. */
class LiveRouteTest extends ServerFixture {
  private static final String LIVE = "/api/v1/live";

  private Listener listen(String path) {
    return Listener.start(server.port(), path);
  }

  private static void awaitOpen(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void push(String queue, int count) {
    List<String> items = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      items.add("{'queue':'" + queue + "','payload':" + i + "}");
    }
    post("/api/v1/push", "{'items':[" + String.join(",", items) + "]}").expect(201);
  }

  @Test
  void shouldTellRatesAndLevelsEveryTwoSeconds() {
    // given
    push("orders", 4);
    try (Listener listener = listen(LIVE)) {
      JsonNode first = listener.tick();
      push("orders", 6);
      // when
      advanceSeconds(2);
      JsonNode second = listener.tick();
      // then
      assertThat(listener.status()).isEqualTo("HTTP/1.1 200 OK");
      assertThat(first.at("/time").asLong()).isEqualTo(clock.wallMs() - 2_000);
      assertThat(first.at("/now/waiting").asLong()).isEqualTo(4);
      assertThat(first.at("/rates/push").asDouble()).isZero();
      assertThat(second.at("/time").asLong()).isEqualTo(clock.wallMs());
      assertThat(second.at("/now/queues").asLong()).isEqualTo(1);
      assertThat(second.at("/now/waiting").asLong()).isEqualTo(10);
      assertThat(second.at("/now/oldestMs").asLong()).isEqualTo(2_000);
      assertThat(second.at("/rates/push").asDouble()).isEqualTo(3);
      assertThat(second.at("/store/durability").asString()).isEqualTo("fsync");
      assertThat(second.at("/store/fsyncPerSecond").asDouble()).isGreaterThan(0);
      assertThat(second.at("/store/storedBytes").asLong()).isGreaterThan(0);
      assertThat(second.at("/memory/heapUsed").asLong()).isGreaterThan(0);
      assertThat(second.at("/attention").isEmpty()).isTrue();
      assertThat(second.has("queue")).isFalse();
    }
  }

  @Test
  void shouldTellOfAQueueByItself() {
    // given
    push("orders", 3);
    try (Listener listener = listen(LIVE + "?queue=orders");
        Listener other = listen(LIVE + "?queue=none")) {
      // when
      JsonNode tick = listener.tick();
      // then
      assertThat(tick.at("/queue/name").asString()).isEqualTo("orders");
      assertThat(tick.at("/queue/waiting").asLong()).isEqualTo(3);
      assertThat(other.tick().at("/queue").isNull()).isTrue();
    }
  }

  @Test
  void shouldSayTheSameOnce() {
    push("orders", 3);
    Reply now = get("/api/v1/status/now?queue=orders").expect(200);
    assertThat(now.number("/now/waiting")).isEqualTo(3);
    assertThat(now.text("/queue/name")).isEqualTo("orders");
    send("HEAD", "/api/v1/status/now", null).expect(200);
  }

  @Test
  void shouldTakeOnlySoManyAndForgetThoseWhoAreGone() {
    // given
    List<Listener> listeners = new ArrayList<>();
    for (int i = 0; i < Listeners.EACH_MAX; i++) {
      listeners.add(listen(LIVE));
    }
    listeners.forEach(listener -> assertThat(listener.status()).contains("200"));
    // when
    try (Listener refused = listen(LIVE)) {
      // then
      assertThat(refused.status()).contains("429");
    }
    send("HEAD", LIVE, null).expect(429);
    listeners.forEach(Listener::close);
    Awaitility.await()
        .pollInterval(Duration.ofMillis(20))
        .untilAsserted(() -> send("HEAD", LIVE, null).expect(200));
    // A look at the headers alone is nobody who listens.
    for (int i = 0; i < Listeners.EACH_MAX; i++) {
      send("HEAD", LIVE, null).expect(200);
    }
  }

  @Test
  void shouldSendAHeartbeatThatBrowsersSeeWhileThereIsNoNewTick() throws InterruptedException {
    // given
    CountDownLatch goesOn = new CountDownLatch(1);
    AtomicBoolean isSlow = new AtomicBoolean();
    Broker slow =
        new ForwardingBroker(broker) {
          @Override
          public Result<Stats> stats() {
            if (isSlow.get()) {
              awaitOpen(goesOn);
            }
            return super.stats();
          }
        };
    try (HoldfastServer served =
            HoldfastServer.start(ServerConfig.defaults().port(0), slow, clock);
        Listener listener = Listener.start(served.port(), LIVE)) {
      listener.tick();
      isSlow.set(true);
      // when
      Thread time =
          Thread.ofVirtual()
              .start(
                  () -> {
                    while (!Thread.currentThread().isInterrupted()) {
                      clock.advance(LiveRoute.HEARTBEAT);
                      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
                    }
                  });
      String event = listener.next("event: heartbeat");
      String data = listener.next("data: ");
      time.interrupt();
      time.join();
      goesOn.countDown();
      // then
      assertThat(event).isEqualTo("event: heartbeat");
      assertThat(data).isEqualTo("data: {}");
    } finally {
      goesOn.countDown();
    }
  }

  @Test
  void shouldEndWhenTheServerStops() {
    // given
    try (Listener listener = listen(LIVE)) {
      listener.tick();
      // when
      server.close();
      // then
      assertThat(listener.next("0")).as("the body ends whole").isEqualTo("0");
    }
  }

  @Test
  void shouldSayThatTheBrokerStopped() {
    // given
    try (Listener listener = listen(LIVE)) {
      listener.tick();
      // when
      broker.close();
      advanceSeconds(2);
      // then
      JsonNode tick = listener.tick();
      assertThat(tick.at("/attention/0/kind").asString()).isEqualTo("stopped");
      assertThat(tick.at("/attention/0/text").asString()).startsWith("The broker takes no work: ");
    }
  }

  @Test
  void shouldPointAtWhatIsPausedBehindOrDying() {
    // given
    push("slow", 2);
    push("unread", 1);
    push("stopped", 1);
    post("/api/v1/configure", "{'queue':'dying','options':{'retryLimit':0}}").expect(200);
    get("/api/v1/pop/queue/slow?consumerGroup=billing").expect(200);
    post("/api/v1/resources/queues/stopped/pause").expect(200);
    try (Listener listener = listen(LIVE)) {
      listener.tick();
      push("dying", 1);
      Reply popped = get("/api/v1/pop/queue/dying").expect(200);
      post(
              "/api/v1/lease/" + popped.text("/leaseId") + "/settle",
              "{'status':'failed','error':'bad'}")
          .expect(200);
      // when
      advanceSeconds(301);
      JsonNode attention = listener.tick().at("/attention");
      // then
      List<String> told = new ArrayList<>();
      for (JsonNode each : attention) {
        told.add(
            each.path("kind").asString()
                + " "
                + each.path("queue").asString()
                + " "
                + each.path("group").asString("")
                + " "
                + each.path("count").asLong());
      }
      assertThat(told)
          .contains(
              "deadGrowing dying  1",
              "lagging slow billing 2",
              "lagging unread  1",
              "paused stopped  1");
      // when
      post("/api/v1/dlq/requeue", "{'queue':'dying'}").expect(200);
      advanceSeconds(2);
      // then
      assertThat(listener.tick().at("/attention").toString()).doesNotContain("deadGrowing");
    }
  }
}
