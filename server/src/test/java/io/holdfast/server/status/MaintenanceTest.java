package io.holdfast.server.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.ServerFixture;
import java.util.concurrent.CompletableFuture;
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
        CompletableFuture.supplyAsync(() -> get("/api/v1/pop/queue/q?wait=true&timeout=60000"));
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
}
