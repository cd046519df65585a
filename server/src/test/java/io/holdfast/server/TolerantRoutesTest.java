package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.http.Route;
import io.holdfast.server.http.Traffic;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Routes of Queen's clients ignore what they do not know, say so, and no other route does. */
class TolerantRoutesTest extends MessagesFixture {
  private static final String IGNORED = "Holdfast-Ignored";

  @Test
  void shouldHaveARouteForEachOfQueens() {
    Set<String> tolerant =
        new Routes(broker, clock, new Traffic())
            .all().stream()
                .filter(Route::tolerant)
                .map(route -> route.method() + " " + route.path())
                .collect(Collectors.toSet());
    assertThat(tolerant).containsExactlyInAnyOrderElementsOf(QueenRoutes.paths());
  }

  @Test
  void shouldIgnoreUnknownParametersAndNameThem() {
    // given
    push("q", "1");
    // when
    Reply popped = pop("q", "?conflation=true&namespace=n&task=t&batch=1");
    Reply plain = get("/api/v1/pop/queue/q?batch=1").expect(204);
    // then
    assertThat(popped.header(IGNORED)).isEqualTo("conflation, namespace, task");
    assertThat(popped.json().at("/messages").size()).isEqualTo(1);
    assertThat(plain.http().headers().firstValue(IGNORED)).isEmpty();
    Reply none = get("/api/v1/pop/queue/q?flavour=x").expect(204);
    assertThat(none.header(IGNORED)).isEqualTo("flavour");
  }

  @Test
  void shouldIgnoreUnknownFieldsAndNameThemOnce() {
    // given
    String items =
        "{'queue':'q','payload':{'flavour':1},'flavour':'p','more':{'a':[1,{}]}},"
            + "{'queue':'q','payload':2,'more':[]}";
    // when
    Reply pushed = post("/api/v1/push", "{'version':2,'items':[" + items + "]}").expect(201);
    // then
    assertThat(pushed.header(IGNORED)).isEqualTo("version, items[].flavour, items[].more");
    assertThat(pushed.json().size()).isEqualTo(2);
    Reply popped = pop("q", "?batch=9");
    assertThat(popped.json().at("/messages/0/data")).isEqualTo(JSON.readTree("{\"flavour\":1}"));
    assertThat(popped.json().at("/messages/1/data").asInt()).isEqualTo(2);
  }

  /** An ack without its lease would not be fenced. */
  @Test
  void shouldIgnoreAFieldOnlyWhereItIsUnknown() {
    // given
    pushNamed("q", "a");
    Reply popped = pop("q");
    String push = "{'type':'push','queue':'out','payload':1,'leaseId':'x','partitionId':'7'}";
    String ack = "{'type':'ack'," + unfenced(popped, 0) + ",'leaseId':'b2xkIGxlYXM','payload':1}";
    // when
    Reply done =
        post("/api/v1/transaction", "{'operations':[" + push + "," + ack + "]}").expect(200);
    // then
    assertThat(done.flag("/success")).isFalse();
    assertThat(done.text("/code")).isEqualTo("STALE_LEASE");
    assertThat(done.header(IGNORED))
        .isEqualTo(
            "operations[push].leaseId, operations[push].partitionId, operations[ack].payload");
  }

  @Test
  void shouldRefuseWhatIsProbablyATypingError() {
    for (String name : List.of("bach", "Batch", "batchs", "consumergroup", "waits")) {
      Reply refused = get("/api/v1/pop/queue/q?" + name + "=1").expect(400);
      assertThat(refused.text("/field")).isEqualTo(name);
    }
    Reply refused =
        post("/api/v1/ack", "{'transactionId':'a','partitionId':'1','leaseid':'x'}").expect(400);
    assertThat(refused.text("/field")).isEqualTo("leaseid");
    configure("q", "'leaseTimes':5").expect(400);
    assertThat(broker.stats().orThrow().queues()).isZero();
  }

  @Test
  void shouldRefuseWrongValuesBesideIgnoredNames() {
    Reply refused =
        post("/api/v1/push", "{'more':1,'items':[{'queue':7,'payload':1,'other':2}]}").expect(400);
    assertThat(refused.text("/field")).isEqualTo("items[0].queue");
    post("/api/v1/push", "{'more':1,'more':2,'items':[]}").expect(400);
    post("/api/v1/push", "{'more':1,'items':[]} {}").expect(400);
    get("/api/v1/pop/queue/q?flavour=x&batch=many").expect(400);
  }

  @Test
  void shouldIgnoreOnlySoManyNames() {
    StringBuilder many = new StringBuilder();
    for (int i = 0; i < 21; i++) {
      many.append("&name").append(i).append("=1");
    }
    Reply refused = get("/api/v1/pop/queue/q?" + many.substring(1)).expect(400);
    assertThat(refused.text("/field")).isEqualTo("name20");
  }

  @Test
  void shouldCountIgnoredNames() {
    // when
    get("/api/v1/pop/queue/q?flavour=x&colour=y").expect(204);
    get("/api/v1/pop/queue/q?flavour=x").expect(204);
    // then
    assertThat(get("/metrics").expect(200).http().body())
        .contains(
            "holdfast_http_ignored_names_total{method=\"GET\","
                + "route=\"/api/v1/pop/queue/{queue}\"} 3.0");
  }

  @Test
  void shouldLogEachNameOnce() {
    try (RecordedLog log = RecordedLog.of("io.holdfast.server.http.IgnoredLog")) {
      // when
      get("/api/v1/pop/queue/q?flavour=x").expect(204);
      get("/api/v1/pop/queue/q?flavour=x").expect(204);
      get("/api/v1/pop/queue/other?flavour=x&colour=y").expect(204);
      // then
      assertThat(log.lines())
          .hasSize(2)
          .first()
          .asString()
          .contains("flavour", "GET /api/v1/pop/queue/{queue}");
    }
  }

  @Test
  void shouldStayStrictElsewhere() {
    for (String path :
        List.of(
            "/api/v1/commit",
            "/api/v1/dlq/requeue",
            "/api/v1/lease/x/settle",
            "/api/v1/pop",
            "/api/v1/flows",
            "/queue/q/push")) {
      Reply refused = post(path, "{'flavour':1}").expect(400);
      assertThat(refused.text("/field")).as(path).isEqualTo("flavour");
    }
    for (String path : List.of("/api/v1/tasks", "/api/v1/records", "/api/v1/status/now")) {
      get(path + "?flavour=1").expect(400);
    }
    delete("/api/v1/dlq?queue=q&flavour=1").expect(400);
    delete("/api/v1/queues/q/clear?flavour=1").expect(400);
  }

  @Test
  void shouldLetTheBrokerChooseSizes() {
    // given
    pushNamed("q", "a", "b", "c");
    // when
    Reply popped = pop("q", "?autopilot=true&wait=true&timeout=30000");
    // then
    assertThat(data(popped)).isEqualTo("abc");
    assertThat(popped.http().headers().firstValue(IGNORED)).isEmpty();
    assertThat(data(pop("q", "?autopilot=true&batch=1&consumerGroup=g"))).isEqualTo("a");
  }

  @Test
  void shouldTakeAnyWordForWhereAGroupBegins() {
    // given
    pushNamed("q", "a");
    // then
    for (String mode : List.of("all", "from_beginning", "earliest", "")) {
      assertThat(data(pop("q", "?consumerGroup=g-" + mode + "&subscriptionMode=" + mode)))
          .isEqualTo("a");
    }
    get("/api/v1/pop/queue/q?consumerGroup=n&subscriptionMode=new").expect(204);
    get("/api/v1/pop/queue/q?consumerGroup=o&subscriptionMode=new-only").expect(204);
    post("/api/v1/pop", "{'queue':'q','subscriptionMode':'earliest'}").expect(400);
  }
}
