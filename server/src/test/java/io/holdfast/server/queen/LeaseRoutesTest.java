package io.holdfast.server.queen;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.MessagesFixture;
import io.holdfast.testkit.WaitLimits;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Leases over HTTP: more time, what is known of them, and settling all of one. */
class LeaseRoutesTest extends MessagesFixture {
  private String leaseOf(String queue) {
    return pop(queue, "?batch=10&worker=w1").text("/leaseId");
  }

  @Test
  void shouldGiveALeaseMoreTime() {
    // given
    pushNamed("q", "a");
    String lease = leaseOf("q");
    advanceSeconds(290);
    // when
    Reply extended = post("/api/v1/lease/" + lease + "/extend", "{'seconds':120}").expect(200);
    // then
    assertThat(extended.flag("/success")).isTrue();
    assertThat(extended.text("/leaseId")).isEqualTo(lease);
    assertThat(extended.number("/renewed")).isEqualTo(1);
    assertThat(extended.text("/newExpiresAt")).isEqualTo("2026-01-01T00:06:50.000Z");
    assertThat(extended.text("/expiresAt")).isEqualTo("2026-01-01T00:06:50.000Z");
    assertThat(extended.text("/lease_expires_at")).isEqualTo("2026-01-01T00:06:50.000Z");
    advanceSeconds(119);
    expectNothing("q", "LOCKED");
    advanceSeconds(1);
    pop("q");
  }

  @Test
  void shouldExtendByAMinuteIfNothingIsSaid() {
    // given
    pushNamed("q", "a", "b", "c");
    configure("q", "'leaseTime':30").expect(200);
    String lease = leaseOf("q");
    // when
    Reply bare = post("/api/v1/lease/" + lease + "/extend").expect(200);
    Reply shorter = post("/api/v1/lease/" + lease + "/extend", "{'seconds':1}").expect(200);
    // then
    assertThat(bare.text("/expiresAt")).isEqualTo("2026-01-01T00:01:00.000Z");
    assertThat(bare.number("/open")).isEqualTo(3);
    assertThat(shorter.text("/expiresAt")).isEqualTo("2026-01-01T00:01:00.000Z");
  }

  @Test
  void shouldNotExtendALeaseThatIsOver() {
    // given
    pushNamed("q", "a");
    String lease = leaseOf("q");
    advanceSeconds(300);
    // when
    Reply stale = post("/api/v1/lease/" + lease + "/extend", "{'seconds':60}").expect(200);
    // then
    assertThat(stale.flag("/success")).isFalse();
    assertThat(stale.number("/renewed")).isZero();
    assertThat(stale.json().at("/newExpiresAt").isNull()).isTrue();
    assertThat(stale.json().at("/lease_expires_at").isNull()).isTrue();
    assertThat(stale.text("/code")).isEqualTo("STALE_LEASE");
    assertThat(stale.text("/error")).contains("expired");
    assertThat(post("/api/v1/lease/nobody/extend").expect(200).flag("/success")).isFalse();
  }

  @Test
  void shouldTellAWaitingExtendOfACancelledMessage() throws Exception {
    // given
    pushNamed("q", "a", "b");
    Reply popped = pop("q", "?batch=2");
    String path = "/api/v1/lease/" + popped.text("/leaseId") + "/extend";
    CompletableFuture<Reply> waiting =
        CompletableFuture.supplyAsync(
            () -> post(path, "{'seconds':600,'waitSeconds':30}"), Thread::startVirtualThread);
    Awaitility.await()
        .until(
            () ->
                get("/api/v1/lease/" + popped.text("/leaseId"))
                    .text("/expiresAt")
                    .equals("2026-01-01T00:10:00.000Z"));
    // when
    broker
        .cancel(
            io.holdfast.api.message.CancelRequest.of(
                io.holdfast.api.message.MessageRef.named("q", "Default", "b")))
        .orThrow();
    Reply told = waiting.get(WaitLimits.EVENT.toSeconds(), TimeUnit.SECONDS).expect(200);
    // then
    assertThat(told.json().at("/cancelled")).hasSize(1);
    assertThat(told.text("/cancelled/0/partitionId"))
        .isEqualTo(popped.text("/messages/1/partitionId"));
    assertThat(told.number("/cancelled/0/seq")).isEqualTo(popped.number("/messages/1/seq"));
    assertThat(told.number("/open")).isEqualTo(1);
  }

  @Test
  void shouldTellOfALease() {
    // given
    pushNamed("q", "a", "b");
    String lease = leaseOf("q");
    // when
    Reply live = get("/api/v1/lease/" + lease).expect(200);
    restart();
    Reply reopened = get("/api/v1/lease/" + lease).expect(200);
    advanceSeconds(300);
    Reply over = get("/api/v1/lease/" + lease).expect(200);
    // then
    assertThat(live.text("/state")).isEqualTo("live");
    assertThat(live.text("/queue")).isEqualTo("q");
    assertThat(live.text("/consumerGroup")).isEqualTo("__QUEUE_MODE__");
    assertThat(live.text("/worker")).isEqualTo("w1");
    assertThat(live.text("/expiresAt")).isEqualTo("2026-01-01T00:05:00.000Z");
    assertThat(live.number("/open")).isEqualTo(2);
    assertThat(reopened.json()).isEqualTo(live.json());
    assertThat(over.text("/state")).isEqualTo("lost");
    assertThat(over.json().at("/expiresAt").isNull()).isTrue();
    get("/api/v1/lease/AAAAAAAAAAE").expect(404);
  }

  @Test
  void shouldSettleAWholeLease() {
    // given
    pushNamed("q", "a", "b", "c");
    String lease = leaseOf("q");
    // when
    Reply settled = post("/api/v1/lease/" + lease + "/settle", "{'status':'completed'}");
    Reply again = post("/api/v1/lease/" + lease + "/settle", "{'status':'completed'}");
    // then
    assertThat(settled.expect(200).flag("/success")).isTrue();
    assertThat(settled.number("/count")).isEqualTo(3);
    assertThat(settled.text("/message")).isEqualTo("acknowledged");
    assertThat(again.expect(200).flag("/success")).isFalse();
    assertThat(again.text("/code")).isEqualTo("ALREADY_SETTLED");
    assertThat(again.number("/count")).isZero();
    expectNothing("q", "EMPTY");
  }

  @Test
  void shouldSettleAWholeLeaseInEveryWay() {
    for (String[] way :
        new String[][] {
          {"'status':'failed','error':'no'", "failed_retry", "BACKOFF"},
          {"'status':'failed','delaySeconds':5", "failed_retry", "BACKOFF"},
          {"'status':'release','delaySeconds':0.5", "released", "BACKOFF"},
          {"'status':'kill','error':'no'", "failed_dlq", "EMPTY"},
        }) {
      // given
      String queue = "q-" + way[1] + way[0].length();
      pushNamed(queue, "a", "b");
      String lease = leaseOf(queue);
      // when
      Reply settled = post("/api/v1/lease/" + lease + "/settle", "{" + way[0] + "}").expect(200);
      // then
      assertThat(settled.number("/count")).isEqualTo(2);
      assertThat(settled.text("/message")).isEqualTo(way[1]);
      expectNothing(queue, way[2]);
    }
  }

  @Test
  void shouldRefuseWhatALeaseIsNotAsked() {
    pushNamed("q", "a");
    String path = "/api/v1/lease/" + leaseOf("q");
    assertThat(post(path + "/extend", "{'seconds':0}").expect(400).text("/field"))
        .isEqualTo("seconds");
    assertThat(post(path + "/extend", "{'second':5}").expect(400).text("/field"))
        .isEqualTo("second");
    assertThat(post(path + "/extend", "{'waitSeconds':1e9}").expect(400).text("/field"))
        .isEqualTo("waitSeconds");
    assertThat(post(path + "/settle", "{'status':'done'}").expect(400).text("/field"))
        .isEqualTo("status");
    assertThat(post(path + "/settle", "{'leaseId':'x'}").expect(400).text("/field"))
        .isEqualTo("leaseId");
    post(path + "/settle").expect(400);
    get("/api/v1/lease/" + "x".repeat(300)).expect(404);
  }
}
