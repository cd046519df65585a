package io.holdfast.server.queen;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.ServerFixture;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A message's way through the routes of Queen: pushed, popped, acknowledged. */
class PushPopAckTest extends ServerFixture {
  private Reply push(String queue, String payload) {
    return post("/api/v1/push", "{'items':[{'queue':'" + queue + "','payload':" + payload + "}]}")
        .expect(201);
  }

  private Reply ack(Reply popped, String more) {
    return post(
        "/api/v1/ack",
        "{'transactionId':'%s','partitionId':'%s','leaseId':'%s'%s}"
            .formatted(
                popped.text("/messages/0/transactionId"),
                popped.text("/messages/0/partitionId"),
                popped.text("/leaseId"),
                more));
  }

  @Test
  void shouldDeliverWhatWasPushed() {
    // given
    Reply pushed = push("orders", "{'a': [1, 2.50, \"x\"] }");
    // when
    Reply popped = get("/api/v1/pop/queue/orders").expect(200);
    // then
    assertThat(pushed.text("/0/status")).isEqualTo("queued");
    assertThat(popped.text("/messages/0/id")).isEqualTo(pushed.text("/0/message_id"));
    assertThat(popped.http().body()).contains("{\"a\": [1, 2.50, \"x\"] }");
    assertThat(popped.text("/messages/0/queue")).isEqualTo("orders");
    assertThat(popped.text("/leaseId")).hasSize(11);
  }

  @Test
  void shouldKeepEveryKindOfPayloadByteForByte() {
    for (String payload :
        new String[] {
          "1",
          "-0.50e+3",
          "\"\\u00e4 \\\" ]}\"",
          "true",
          "null",
          "[]",
          "{}",
          " [ {} , 1 ] ",
          "\"äöü \uD83D\uDE00\"",
          "[\n1\t,2]"
        }) {
      push("kinds", payload);
      Reply popped = get("/api/v1/pop/queue/kinds?autoAck=true").expect(200);
      assertThat(popped.http().body()).contains("\"data\":" + payload.strip() + ",");
    }
  }

  @Test
  void shouldGiveBytesThatAreNotJsonAsBase64() {
    // given
    post("/api/v1/push", "{'items':[{'queue':'b','payloadBase64':'AAEC/w=='}]}").expect(201);
    // when
    Reply popped = get("/api/v1/pop/queue/b").expect(200);
    // then
    assertThat(popped.json().at("/messages/0/data").isNull()).isTrue();
    assertThat(popped.text("/messages/0/dataBase64")).isEqualTo("AAEC/w==");
  }

  @Test
  void shouldAcknowledgeAMessageWithoutAName() {
    // given
    push("orders", "1");
    Reply popped = get("/api/v1/pop/queue/orders").expect(200);
    // when
    Reply acked = ack(popped, ",'status':'completed'").expect(200);
    // then
    assertThat(acked.flag("/success")).isTrue();
    assertThat(acked.text("/message")).isEqualTo("acknowledged");
    assertThat(acked.flag("/leaseReleased")).isTrue();
    assertThat(ack(popped, "").text("/message")).isEqualTo("not_found");
    get("/api/v1/pop/queue/orders").expect(204);
  }

  @Test
  void shouldSayWhyThereIsNothingToPop() {
    // given
    push("orders", "1");
    get("/api/v1/pop/queue/orders").expect(200);
    // when
    Reply locked = get("/api/v1/pop/queue/orders").expect(204);
    // then
    assertThat(locked.header("X-Holdfast-Reason")).isEqualTo("LOCKED");
    assertThat(locked.http().body()).isEmpty();
  }

  @Test
  void shouldTellWhichFieldIsWrong() {
    Reply reply = post("/api/v1/push", "{'items':[{'queue':'q','payload':1},{'queue':5}]}");
    reply.expect(400);
    assertThat(reply.text("/field")).isEqualTo("items[1].queue");
    assertThat(reply.text("/error")).isEqualTo("items[1].queue: expected a text, but got 5");
    get("/api/v1/pop/queue/q").expect(204);
  }

  @Test
  void shouldNotLeaseForAPictureOfAnotherPage() {
    // given
    push("q", "1");
    for (String site : new String[] {"cross-site", "same-site"}) {
      HttpRequest picture =
          HttpRequest.newBuilder(uri("/api/v1/pop/queue/q?autoAck=true"))
              .header("Sec-Fetch-Site", site)
              .build();
      // then
      assertThat(send(picture).expect(403).text("/code")).isEqualTo("FORBIDDEN");
    }
    send("HEAD", "/api/v1/pop/queue/q?autoAck=true", null).expect(405);
    get("/api/v1/pop/queue/q").expect(200);
  }

  @Test
  void shouldRefuseAPageOfAnotherOrigin() throws Exception {
    byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
    HttpRequest request =
        HttpRequest.newBuilder(uri("/api/v1/push"))
            .header("Origin", "https://example.org")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    send(request).expect(403);
  }
}
