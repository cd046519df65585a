package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.Limits;
import io.holdfast.engine.EngineConfig;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that make ever more of something: a refusal that says so, and the others go on. */
class FloodTest extends ServerFixture {
  private static final int QUEUES = 40;
  private static final int PARTITIONS = 60;
  private static final int GROUPS = 5;
  private static final int PARKED = 8;

  private final List<Poll> polls = new ArrayList<>();

  @Override
  protected EngineConfig engine() {
    EngineConfig usual = super.engine();
    return new EngineConfig(
        usual.directory(),
        usual.durability(),
        usual.payloadBytesMax(),
        usual.requestBytesMax(),
        usual.mailboxMax(),
        usual.mailboxBytesMax(),
        usual.tailCacheBytes(),
        usual.retainedBytesMax(),
        QUEUES,
        PARTITIONS,
        GROUPS,
        PARKED);
  }

  @AfterEach
  void closePolls() {
    polls.forEach(Poll::close);
  }

  private Reply push(String queue, String partition) {
    return post(
        "/api/v1/push",
        "{'items':[{'queue':'%s','partition':'%s','payload':1}]}".formatted(queue, partition));
  }

  private static void refused(Reply reply, int status, String code, String word) {
    assertThat(reply.expect(status).text("/code")).isEqualTo(code);
    assertThat(reply.text("/error")).contains(word);
  }

  @Test
  void shouldRefuseMoreQueuesThanThereMayBe() {
    for (int i = 0; i < QUEUES; i++) {
      push("q" + i, "p").expect(201);
    }
    refused(push("one-more", "p"), 409, "LIMIT", QUEUES + " queues");
    refused(get("/api/v1/pop/queue/one-more"), 409, "LIMIT", QUEUES + " queues");
    refused(post("/api/v1/configure", "{'queue':'one-more','options':{}}"), 409, "LIMIT", "queues");
    refused(post("/queue/one-more/push", "{'item':1}"), 409, "LIMIT", "queues");
    push("q7", "p").expect(201);
  }

  @Test
  void shouldRefuseMorePartitionsThanThereMayBe() {
    for (int i = 0; i < PARTITIONS; i++) {
      push("q", "p" + i).expect(201);
    }
    refused(push("q", "one-more"), 409, "LIMIT", PARTITIONS + " partitions");
    push("q", "p7").expect(201);
  }

  @Test
  void shouldRefuseMoreGroupsThanThereMayBe() {
    push("q", "p").expect(201);
    for (int i = 0; i < GROUPS; i++) {
      get("/api/v1/pop/queue/q?consumerGroup=g" + i).expect(200);
    }
    refused(get("/api/v1/pop/queue/q?consumerGroup=other"), 409, "LIMIT", GROUPS + " groups");
  }

  @Test
  void shouldRefuseManyGroupsOnManyPartitions() {
    for (int i = 0; i < PARTITIONS / 2 - 1; i++) {
      push("q", "p" + i).expect(201);
    }
    get("/api/v1/pop/queue/q?consumerGroup=a").expect(200);
    get("/api/v1/pop/queue/q?consumerGroup=b").expect(200);
    refused(get("/api/v1/pop/queue/q?consumerGroup=c"), 409, "LIMIT", "every group that reads it");
    push("q", "fits").expect(201);
    refused(push("q", "does-not"), 409, "LIMIT", "every group that reads it");
  }

  @Test
  void shouldRefuseMoreParkedPollsThanThereMayBe() {
    for (int i = 0; i < PARKED; i++) {
      polls.add(Poll.start(server.port(), "q", Limits.WAIT_MS_MAX));
    }
    await().until(() -> broker.stats().orThrow().parkedPops() == PARKED);
    Reply reply = get("/api/v1/pop/queue/q?wait=true&timeout=1000");
    refused(reply, 429, "OVERLOADED", "wait");
    assertThat(reply.header("Retry-After")).isEqualTo("1");
    get("/api/v1/pop/queue/q").expect(204);
  }

  @Test
  void shouldNotMakeSeriesOfWhatClientsMakeUp() {
    // given
    push("q", "p").expect(201);
    get("/no/such/route/0").expect(404);
    get("/api/v1/pop/queue/q?consumerGroup=g").expect(200);
    long before = get("/metrics").expect(200).http().body().lines().count();
    // when
    for (int i = 0; i < 50; i++) {
      get("/no/such/route/" + i).expect(404);
      send("DELETE", "/made/up/" + i, null).expect(404);
      get("/api/v1/messages/" + i).expect(404);
      get("/api/v1/pop/queue/q/partition/made-up-" + i + "?consumerGroup=g").expect(204);
      send("MADEUP" + i, "/health", null).expect(405);
    }
    // then
    String metrics = get("/metrics").expect(200).http().body();
    assertThat(metrics).doesNotContain("made", "MADEUP", "such/route");
    // A few routes and statuses were asked for the first time, each a histogram.
    assertThat(metrics.lines().count() - before).isLessThan(200);
  }
}
