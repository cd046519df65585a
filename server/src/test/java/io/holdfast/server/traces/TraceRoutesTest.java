package io.holdfast.server.traces;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.Broker;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.server.ServerFixture;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Notes about messages are found by message and by name, also after a restart. */
class TraceRoutesTest extends ServerFixture {
  private String partitionId = "";

  private void push(String name) {
    Reply pushed =
        post(
                "/api/v1/push",
                "{'items':[{'queue':'q','transactionId':'" + name + "','payload':{'n':1}}]}")
            .expect(201);
    partitionId = pushed.text("/0/partition_id");
  }

  private Reply note(String name, String more) {
    return post(
        "/api/v1/traces",
        "{'transactionId':'" + name + "','partitionId':'" + partitionId + "'" + more + "}");
  }

  @Test
  void shouldFindNotesByMessage() {
    // given
    push("t1");
    push("t2");
    note("t1", ",'data':{'step': 1},'consumerGroup':'g','eventType':'begin'").expect(201);
    advanceSeconds(1);
    note("t1", ",'data':'done','traceNames':['flow-1','x']").expect(201);
    note("t2", ",'data':2,'traceNames':'flow-1'").expect(201);
    // when
    restart();
    Reply found = get("/api/v1/traces/" + partitionId + "/t1").expect(200);
    // then
    assertThat(found.json().at("/traces").size()).isEqualTo(2);
    assertThat(found.json().at("/traces/0/data").toString()).isEqualTo("{\"step\":1}");
    assertThat(found.text("/traces/0/consumer_group")).isEqualTo("g");
    assertThat(found.text("/traces/0/event_type")).isEqualTo("begin");
    assertThat(found.text("/traces/1/event_type")).isEqualTo("info");
    assertThat(found.text("/traces/1/trace_names/0")).isEqualTo("flow-1");
    Reply named = get("/api/v1/traces/by-name/flow-1?limit=1").expect(200);
    assertThat(named.number("/total")).isEqualTo(2);
    assertThat(named.text("/traces/0/transaction_id")).isEqualTo("t2");
    assertThat(named.text("/traces/0/queue_name")).isEqualTo("q");
    assertThat(named.number("/traces/0/message_payload/n")).isEqualTo(1);
    Reply names = get("/api/v1/traces/names").expect(200);
    assertThat(names.number("/total")).isEqualTo(2);
    assertThat(names.text("/trace_names/0/trace_name")).isEqualTo("flow-1");
    assertThat(names.number("/trace_names/0/message_count")).isEqualTo(2);
    assertThat(names.number("/trace_names/1/trace_count")).isEqualTo(1);
  }

  @Test
  void shouldRefuseWhatIsNoNoteAboutAMessage() {
    push("t1");
    assertThat(post("/api/v1/traces", "{'data':1}").expect(400).text("/error"))
        .isEqualTo("transactionId and partitionId are required");
    assertThat(note("t1", "").expect(400).text("/error")).isEqualTo("data is required");
    note("none", ",'data':1").expect(404);
    note("t1", ",'data':'" + "x".repeat(20_000) + "'").expect(400);
    note("t1", ",'data':1,'traceNames':5").expect(400);
  }

  @Test
  void shouldEndAnAnswerThatRepeatsLargeMessagesEarly() {
    // given
    String large = "x".repeat(900_000);
    Reply pushed =
        post(
                "/api/v1/push",
                "{'items':[{'queue':'q','transactionId':'t','payload':'" + large + "'}]}")
            .expect(201);
    partitionId = pushed.text("/0/partition_id");
    for (int i = 0; i < 8; i++) {
      note("t", ",'traceNames':'flow','data':" + i).expect(201);
    }
    // when
    List<String> found = new ArrayList<>();
    Reply page = get("/api/v1/traces/by-name/flow?limit=100").expect(200);
    assertThat(page.json().at("/traces")).hasSizeBetween(1, 7);
    while (!page.json().at("/traces").isEmpty()) {
      page.json().at("/traces").forEach(trace -> found.add(trace.at("/data").toString()));
      page = get("/api/v1/traces/by-name/flow?limit=100&offset=" + found.size()).expect(200);
    }
    // then
    assertThat(found).containsExactly("7", "6", "5", "4", "3", "2", "1", "0");
    assertThat(page.number("/total")).isEqualTo(8);
  }

  @Test
  void shouldReadPastARecordThatIsNoNote() {
    // given
    push("t1");
    note("t1", ",'data':1").expect(201);
    for (String other : List.of("", "{}", "x", "{'id':'y'}\n1", "[]\n")) {
      broker
          .commit(
              CommitRequest.of(
                  new Operation.PutRecord(
                      Traces.PREFIX + "0" + other.length(),
                      0,
                      other.replace('\'', '"').getBytes(StandardCharsets.UTF_8))))
          .orThrow();
    }
    // when
    restart();
    // then
    Reply found = get("/api/v1/traces/" + partitionId + "/t1").expect(200);
    assertThat(found.json().at("/traces")).hasSize(1);
    note("t1", ",'data':2").expect(201);
  }

  @Test
  void shouldKeepTheNewestOnly() {
    try (Broker small = EmbeddedBroker.open(EngineConfig.inMemory(), clock)) {
      // given
      Traces traces = new Traces(small);
      add(traces, "rare", 5);
      // when
      add(traces, "q", Traces.OF_QUEUE_MAX + 1);
      // then
      assertThat(names(traces, "rare")).hasSize(5);
      assertThat(names(traces, "q")).hasSize(Traces.OF_QUEUE_MAX).startsWith("t1", "t2");
      assertThat(new Traces(small).all()).isEqualTo(traces.all());
    }
  }

  @Test
  void shouldMakeRoomWhereMostNotesAre() {
    try (Broker small = EmbeddedBroker.open(EngineConfig.inMemory(), clock)) {
      // given
      Traces traces = new Traces(small);
      add(traces, "rare", 5);
      // when
      for (int i = 0; i < 10; i++) {
        add(traces, "q" + i, Traces.OF_QUEUE_MAX);
      }
      add(traces, "new", 1);
      // then
      assertThat(traces.all()).hasSize(Traces.TRACES_MAX);
      assertThat(names(traces, "rare")).hasSize(5);
      assertThat(names(traces, "new")).hasSize(1);
      assertThat(new Traces(small).all()).isEqualTo(traces.all());
    }
  }

  private static void add(Traces traces, String queue, int count) {
    byte[] data = {'1'};
    for (int i = 0; i < count; i++) {
      UUID id = new UUID(7, i);
      traces.add(new Trace(id, 1_000, queue, "p", 1, "t" + i, null, "info", List.of()), data);
    }
  }

  private static List<String> names(Traces traces, String queue) {
    return traces.all().stream()
        .filter(trace -> trace.queue().equals(queue))
        .map(Trace::transactionId)
        .toList();
  }
}
