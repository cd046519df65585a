package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Large bodies when room for them is short: nobody is told to do again what is done. */
class FullRoomTest extends ServerFixture {
  private static final int HEAP_SHARE = 16;
  private static final int PIECE = 1 << 20;
  private static final int COUNT = 500;

  private @Nullable Poll filler;

  /** One body may take all the room there is. */
  @Override
  protected ServerConfig config() {
    return super.config().bodyBytesMax(roomBytes());
  }

  private static int roomBytes() {
    return (int) Math.min(1 << 30, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  }

  @AfterEach
  void makeRoom() {
    if (filler != null) {
      filler.close();
    }
  }

  /** Sends a body that never ends, until there is no room for any large answer. */
  private void fill() {
    filler = Poll.connect(server.port());
    filler.send(
        "POST /api/v1/push HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n\""
            .formatted(roomBytes()));
    String piece = "x".repeat(PIECE);
    int left = roomBytes() - 2;
    for (; left > PIECE; left -= PIECE) {
      filler.send(piece);
    }
    filler.send(piece.substring(0, left));
    await().untilAsserted(() -> get("/openapi.json").expect(429));
  }

  private static String items(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "{'queue':'q','payload':" + i + "}")
        .collect(Collectors.joining(",", "{'items':[", "]}"));
  }

  private void push() {
    post("/api/v1/push", items(COUNT)).expect(201);
  }

  @Test
  void shouldTellWhatWasPushed() {
    fill();
    Reply reply = post("/api/v1/push", items(COUNT)).expect(201);
    assertThat(reply.http().body()).hasSizeGreaterThan(16 * 1024);
    assertThat(reply.json()).hasSize(COUNT);
  }

  @Test
  void shouldTellWhatWasSettledAtDelivery() {
    push();
    fill();
    Reply reply = get("/api/v1/pop/queue/q?autoAck=true&batch=" + COUNT).expect(200);
    assertThat(reply.json().at("/messages")).hasSize(COUNT);
  }

  @Test
  void shouldTellWhatWasSettledWithAPop() {
    push();
    Reply first = get("/api/v1/pop/queue/q?batch=1").expect(200);
    fill();
    Reply both =
        post(
                "/api/v1/pop",
                ("{'queue':'q','batch':%d,'settles':[{'transactionId':'%s','partitionId':'%s',"
                        + "'leaseId':'%s','status':'completed'}]}")
                    .formatted(
                        COUNT,
                        first.text("/messages/0/transactionId"),
                        first.text("/messages/0/partitionId"),
                        first.text("/leaseId")))
            .expect(200);
    assertThat(both.json().at("/messages")).hasSize(COUNT - 1);
  }

  @Test
  void shouldGiveBackWhatWasLeasedAndNotTold() {
    push();
    fill();
    assertThat(get("/api/v1/pop/queue/q?batch=" + COUNT).expect(429).text("/code"))
        .isEqualTo("OVERLOADED");
    get("/api/v1/messages?queue=q&limit=" + COUNT).expect(429);
    makeRoom();
    await().untilAsserted(() -> get("/openapi.json").expect(200));
    Reply reply = get("/api/v1/pop/queue/q?batch=" + COUNT).expect(200);
    assertThat(reply.json().at("/messages")).hasSize(COUNT);
    assertThat(reply.number("/messages/0/retryCount")).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "GET /health,            Content-Length: 1000000,   HTTP/1.1 400, expected no body",
    "GET /health,            Transfer-Encoding: chunked, HTTP/1.1 400, expected no body",
    "POST /api/v1/session,   Content-Length: 1000000,   HTTP/1.1 413, at most 16384 bytes",
    "POST /api/v1/session,   Transfer-Encoding: chunked, HTTP/1.1 400, expected the header Content-Length",
    "DELETE /api/v1/session, Content-Length: 0,         HTTP/1.1 204, Set-Cookie"
  })
  void shouldGiveNoRoomToStrangers(String asked, String header, String status, String told)
      throws IOException {
    // given
    try (Poll poll = Poll.connect(server.port())) {
      // when
      poll.send(asked + " HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n\r\n");
      // then
      assertThat(poll.answer()).startsWith(status).contains(told);
    }
  }
}
