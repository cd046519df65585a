package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Page;
import io.holdfast.api.Result;
import io.holdfast.api.commit.RecordsRequest;
import io.holdfast.api.commit.StoredRecord;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueuesRequest;
import io.holdfast.api.wire.Verbs;
import io.holdfast.engine.EmbeddedBroker;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A failure inside the server is answered with a 500 without its text, and logged. */
class InternalErrorTest extends ServerFixture {
  private static final String INTERNAL = "row 7 of table 3: expected 12 bytes";

  /** Throws at its work what a JDK method or a broken invariant throws. */
  @BeforeEach
  void failInside() {
    server.close();
    broker = EmbeddedBroker.open(engine(), clock);
    server =
        HoldfastServer.start(
            config(),
            new ForwardingBroker(broker) {
              @Override
              public Result<Pushed> push(PushRequest request) {
                throw new IllegalArgumentException(INTERNAL);
              }

              @Override
              public Result<Page<StoredRecord>> records(RecordsRequest request) {
                throw new IllegalArgumentException(INTERNAL);
              }

              @Override
              public Result<Page<QueueInfo>> queues(QueuesRequest request) {
                throw new IllegalArgumentException(INTERNAL);
              }
            },
            clock);
  }

  private void expectInternal(Supplier<Reply> ask) {
    try (RecordedLog log = RecordedLog.of("io.holdfast.server.http.Dispatcher")) {
      // when
      Reply reply = ask.get().expect(500);
      // then
      assertThat(reply.text("/code")).isEqualTo("INTERNAL");
      assertThat(reply.http().body()).doesNotContain("row 7");
      assertThat(log.lines()).singleElement().asString().startsWith("ERROR").contains(INTERNAL);
    }
  }

  @Test
  void shouldNotTakeAnInternalFailureForABadRequest() {
    expectInternal(() -> post("/api/v1/push", "{'items':[{'queue':'q','payload':1}]}"));
    expectInternal(() -> get("/api/v1/resources/queues"));
  }

  @Test
  void shouldNotTakeOneForABadRequestToAPriorityQueue() {
    expectInternal(() -> post("/queue/q/push", "{'item':1}"));
  }

  @Test
  void shouldNotTakeOneForABadRequestAboutFlows() {
    expectInternal(() -> get("/api/v1/flows"));
  }

  @Test
  void shouldNotTakeOneForABadRequestOfAVerb() {
    expectInternal(
        () ->
            send(
                HttpRequest.newBuilder(uri(Verbs.PATH + "queues"))
                    .header("Content-Type", Verbs.CONTENT_TYPE)
                    .POST(
                        BodyPublishers.ofByteArray(Verbs.QUEUES.requestBytes(QueuesRequest.all())))
                    .build()));
  }

  @Test
  void shouldSayWhatIsWrongWithARequestAndLogNothing() {
    try (RecordedLog log = RecordedLog.of("io.holdfast.server.http.Dispatcher")) {
      assertThat(
              post("/api/v1/configure", "{'queue':'q','options':{'leaseTime':-1}}")
                  .expect(400)
                  .text("/error"))
          .contains("leaseTime");
      assertThat(get("/api/v1/flows?limit=1&after=%00").status()).isEqualTo(400);
      assertThat(post("/api/v1/flows", "{'id':'','name':'n'}").expect(400).text("/code"))
          .isEqualTo("BAD_REQUEST");
      assertThat(
              post("/queue/" + "x".repeat(300) + "/push", "{'item':1}").expect(400).text("/code"))
          .isEqualTo("BAD_REQUEST");
      assertThat(log.lines()).isEmpty();
    }
  }
}
