package io.holdfast.server.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Result;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.commit.StoredRecord;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.server.HoldfastServer;
import io.holdfast.server.ServerFixture;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** New messages and deliveries can be stopped, and nothing else stops with them. */
class MaintenanceTest extends ServerFixture {
  private static final String MODE = "/api/v1/system/maintenance";
  private static final String PUSH = "{'items':[{'queue':'q','payload':1}]}";

  @Test
  void shouldRefuseNewMessagesUntilItIsSwitchedOffAlsoAfterARestart() {
    // given
    post("/api/v1/push", PUSH).expect(201);
    // when
    Reply on = post(MODE, "{'enabled':true}").expect(200);
    // then
    assertThat(on.flag("/maintenanceMode")).isTrue();
    assertThat(on.text("/message")).isEqualTo("New messages are refused.");
    Reply refused = post("/api/v1/push", PUSH).expect(429);
    assertThat(refused.text("/error")).contains("under maintenance");
    assertThat(refused.header("Retry-After")).isNotEmpty();
    post("/api/v1/commit", "{'operations':[{'type':'push','queue':'q','payload':1}]}").expect(429);
    restart();
    post("/api/v1/push", PUSH).expect(429);
    Reply popped = get("/api/v1/pop/queue/q").expect(200);
    post("/api/v1/lease/" + popped.text("/leaseId") + "/settle", "{'status':'completed'}")
        .expect(200);
    assertThat(get(MODE).expect(200).flag("/maintenanceMode")).isTrue();
    post(MODE, "{'enabled':false}").expect(200);
    post("/api/v1/push", PUSH).expect(201);
  }

  @Test
  void shouldDeliverNothingUntilItIsSwitchedOff() {
    // given
    post("/api/v1/push", PUSH).expect(201);
    // when
    post(MODE + "/pop", "{'enabled':true}").expect(200);
    // then
    get("/api/v1/pop/queue/q").expect(204);
    post("/api/v1/push", PUSH).expect(201);
    assertThat(get(MODE + "/pop").expect(200).flag("/popMaintenanceMode")).isTrue();
    CompletableFuture<Reply> waits =
        CompletableFuture.supplyAsync(
            () -> get("/api/v1/pop/queue/q?wait=true&timeout=60000"), Thread::startVirtualThread);
    post(MODE + "/pop", "{'enabled':false}").expect(200);
    assertThat(waits.join().expect(200).json().at("/messages").size()).isEqualTo(1);
  }

  @Test
  void shouldSettleWhatAPopCarriesThoughNothingIsDelivered() {
    // given
    post("/api/v1/push", PUSH).expect(201);
    Reply popped = get("/api/v1/pop/queue/q").expect(200);
    post(MODE + "/pop", "{'enabled':true}").expect(200);
    // when
    broker.stats().orThrow();
    Reply settled =
        post("/api/v1/lease/" + popped.text("/leaseId") + "/settle", "{'status':'completed'}")
            .expect(200);
    // then
    assertThat(settled.number("/count")).isEqualTo(1);
    post(MODE, "{}").expect(400);
    post(MODE + "/pop", "{'enabled':'yes'}").expect(400);
  }

  @Test
  void shouldLoseNeitherOfTwoChangesAtOnce() {
    for (int i = 0; i < 20; i++) {
      for (String enabled : List.of("{'enabled':true}", "{'enabled':false}")) {
        // when
        CompletableFuture<Reply> pushes =
            CompletableFuture.supplyAsync(
                () -> post(MODE, enabled).expect(200), Thread::startVirtualThread);
        CompletableFuture<Reply> pops =
            CompletableFuture.supplyAsync(
                () -> post(MODE + "/pop", enabled).expect(200), Thread::startVirtualThread);
        pushes.join();
        pops.join();
        // then
        Reply now = get(MODE).expect(200);
        assertThat(now.flag("/maintenanceMode")).isEqualTo(now.flag("/popMaintenanceMode"));
        assertThat(now.flag("/maintenanceMode")).isEqualTo(enabled.contains("true"));
      }
    }
  }

  @Test
  void shouldNotStartIfItCannotTellWhetherItWasOn() {
    // given
    Broker unreadable =
        new ForwardingBroker(broker) {
          @Override
          public Result<StoredRecord> record(RecordRequest request) {
            return Result.refused(ErrorCode.OVERLOADED, "too much to do");
          }
        };
    // then
    assertThatThrownBy(() -> HoldfastServer.start(config(), unreadable, clock))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("under maintenance cannot be read (too much to do)");
    broker.stats().orThrow();
  }

  @Test
  void shouldFollowTheSwitchesOfOtherNodes() {
    // given
    Maintenance one = new Maintenance(broker);
    Maintenance other = new Maintenance(broker);
    one.follow();
    other.follow();
    try {
      // when
      one.stopPushes(true).orThrow();
      // then
      await().until(other::pushesStopped);
      // when
      other.stopPushes(false).orThrow();
      // then
      await().until(() -> !one.pushesStopped());
    } finally {
      one.shut();
      other.shut();
    }
  }

  @Test
  void shouldTakeNothingBeforeANodeHasReadTheSwitches() {
    // given
    AtomicBoolean led = new AtomicBoolean();
    Maintenance node =
        new Maintenance(
            new ForwardingBroker(broker) {
              @Override
              public Result<StoredRecord> record(RecordRequest request) {
                return led.get()
                    ? super.record(request)
                    : Result.refused(ErrorCode.NOT_LEADER, "there is no leader");
              }
            });
    PushRequest push = PushRequest.of(NewMessage.to("q", new byte[] {'1'}));
    // when
    node.follow();
    try {
      // then
      assertThat(node.push(push).refusal().code()).isEqualTo(ErrorCode.NOT_LEADER);
      assertThat(node.pop(PopRequest.queue("q")).refusal().code()).isEqualTo(ErrorCode.NOT_LEADER);
      // when
      led.set(true);
      // then
      await().until(() -> node.push(push).isOk());
    } finally {
      node.shut();
    }
  }
}
