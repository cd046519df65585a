package io.holdfast.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.RecordedLog;
import io.holdfast.server.ServerFixture;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What all routes have in common: errors, methods, types of bodies, keys, ids, compression. */
class HttpConventionsTest extends ServerFixture {
  private Reply send(String method, String path, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path))
            .method(
                method,
                body.isEmpty()
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(body.replace('\'', '"')));
    return send(request.headers(headers).build());
  }

  @Test
  void shouldAnswerAnErrorAsAProblemOfRfc9457() {
    // when
    Reply reply = send("GET", "/api/v1/jobs/nothing", "", "X-Request-Id", "one.two-3").expect(404);
    // then
    assertThat(reply.header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(reply.header("X-Request-Id")).isEqualTo("one.two-3");
    assertThat(reply.text("/type")).isEqualTo("about:blank");
    assertThat(reply.text("/title")).isEqualTo("Not Found");
    assertThat(reply.number("/status")).isEqualTo(404);
    assertThat(reply.text("/detail")).isEqualTo(reply.text("/error")).isNotEmpty();
    assertThat(reply.text("/code")).isEqualTo("NOT_FOUND");
    assertThat(reply.text("/requestId")).isEqualTo("one.two-3");
  }

  @Test
  void shouldMakeARequestIdWhereNoneOrABadOneIsSent() {
    for (String sent : new String[] {"", "two words", "x".repeat(65)}) {
      Reply reply = send("GET", "/nowhere", "", "X-Request-Id", sent).expect(404);
      assertThat(reply.text("/requestId")).matches("[0-9a-f]{16}");
      assertThat(reply.header("X-Request-Id")).isEqualTo(reply.text("/requestId"));
    }
  }

  @Test
  void shouldLogTheRequestIdOfAnAct() {
    try (RecordedLog log = RecordedLog.of("holdfast.audit")) {
      // when
      send("POST", "/api/v1/configure", "{'queue':'a'}", "X-Request-Id", "mine").expect(200);
      // then
      assertThat(log.lines()).singleElement().asString().contains(" request=mine ");
    }
  }

  @Test
  void shouldAnswerQueensClientsWithAnErrorWhoseTypeIsJson() {
    Reply reply = send("POST", "/api/v1/push", "{}", "Content-Type", "application/json");
    assertThat(reply.expect(400).header("Content-Type")).isEqualTo("application/json");
    assertThat(reply.text("/title")).isEqualTo("Bad Request");
  }

  @Test
  void shouldNameTheMethodsOfAPath() {
    Reply reply = send("PUT", "/api/v1/resources/queues/a", "{}").expect(405);
    assertThat(reply.header("Allow")).isEqualTo("GET, HEAD, DELETE");
    assertThat(send("DELETE", "/api/v1/commit", "").expect(405).header("Allow")).isEqualTo("POST");
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "application/xml", "multipart/form-data; boundary=x"})
  void shouldRefuseABodyOfAnotherType(String type) {
    Reply reply = send("POST", "/api/v1/commit", "{'operations':[]}", "Content-Type", type);
    assertThat(reply.expect(415).text("/code")).isEqualTo("WRONG_TYPE");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json; charset=utf-8",
        "Application/JSON",
        "application/x+json",
        "application/x-www-form-urlencoded"
      })
  void shouldTakeABodyThatMayBeJson(String type) {
    send("POST", "/api/v1/commit", COMMIT, "Content-Type", type).expect(200);
  }

  private static final String COMMIT = "{'operations':[{'type':'push','queue':'a','payload':1}]}";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/v1/push {'items':[{'queue':'a','payload':1}]}",
        "/api/v1/commit {'operations':[{'type':'push','queue':'a','payload':1}]}",
        "/api/v1/transaction {'operations':[{'type':'push','items':[{'queue':'a','payload':1}]}]}",
        "/queue/a/push {'item':1}",
        "/api/v1/pop {'queue':'full','timeout':0}",
        "/queue/full/pop?require_ack=true",
        "/api/v1/dlq/requeue {'queue':'full'}"
      })
  void shouldExecuteARepeatOnce(String call) {
    // given
    post("/api/v1/push", "{'items':[{'queue':'full','payload':1},{'queue':'full','payload':2}]}");
    String[] words = call.split(" ", 2);
    String body = words.length > 1 ? words[1] : "";
    String pushed = "/api/v1/messages?queue=a";
    // when
    Reply first = send("POST", words[0], body, "Idempotency-Key", "k1");
    Reply repeat = send("POST", words[0], body, "Idempotency-Key", "k1");
    // then
    assertThat(first.status()).as(first.http().body()).isLessThan(300);
    assertThat(repeat.status()).isEqualTo(first.status());
    // The id of a transaction is that of the request; an item of a push tells that it is a repeat.
    assertThat(withoutLeaseId(repeat)).isEqualTo(withoutLeaseId(first));
    assertThat(get(pushed).json().at("/messages").size()).isLessThanOrEqualTo(1);
  }

  /** A repeated pop returns the same messages under a new lease id. */
  private static String withoutLeaseId(Reply reply) {
    return reply.http().body().replaceAll("\"leaseId\":\"[^\"]+\"", "");
  }

  @Test
  void shouldTellThatAnAnswerIsARepeat() {
    // given
    send("POST", "/queue/a/push", "{'item':1}", "Idempotency-Key", "k").expect(200);
    // when
    Reply repeat = send("POST", "/queue/a/push", "{'item':1}", "Idempotency-Key", "k").expect(200);
    Reply other = send("POST", "/queue/b/push", "{'item':1}", "Idempotency-Key", "k").expect(200);
    // then
    assertThat(repeat.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(other.header("Idempotency-Replayed")).isEmpty();
    assertThat(post("/queue/a/pop").number("/count")).isEqualTo(1);
  }

  @Test
  void shouldRefuseAKeyThatWasUsedForAnotherRequest() {
    send("POST", "/queue/a/push", "{'item':1}", "Idempotency-Key", "k").expect(200);
    Reply reply = send("POST", "/queue/a/push", "{'item':2}", "Idempotency-Key", "k").expect(409);
    assertThat(reply.text("/code")).isEqualTo("REQUEST_ID_USED");
    assertThat(post("/queue/a/pop").number("/count")).isEqualTo(1);
  }

  @Test
  void shouldRefuseAPushWhoseKeyAnotherPushHasUsed() {
    String two = "{'items':[{'queue':'a','payload':1},{'queue':'a','payload':2}]}";
    send("POST", "/api/v1/push", two, "Idempotency-Key", "k").expect(201);
    String one = "{'items':[{'queue':'a','payload':1}]}";
    Reply reply = send("POST", "/api/v1/push", one, "Idempotency-Key", "k").expect(409);
    assertThat(reply.text("/code")).isEqualTo("REQUEST_ID_USED");
  }

  @Test
  void shouldExecuteAgainWhatFailed() {
    // given
    String path = "/api/v1/resources/queues/a/pause";
    send("POST", path, "", "Idempotency-Key", "k").expect(404);
    post("/api/v1/configure", "{'queue':'a'}").expect(200);
    // when
    Reply again = send("POST", path, "", "Idempotency-Key", "k");
    // then
    again.expect(200);
  }

  @Test
  void shouldForgetKeysAfterTenMinutes() {
    // given
    send("POST", "/queue/a/push", "{'item':1}", "Idempotency-Key", "k").expect(200);
    // when
    advanceSeconds(IdempotencyKeys.KEPT_SECONDS);
    // then
    send("POST", "/queue/a/push", "{'item':2}", "Idempotency-Key", "k").expect(200);
  }

  @Test
  void shouldRefuseAKeyThatIsNone() {
    for (String key : new String[] {"two words", "x".repeat(201)}) {
      Reply reply = send("POST", "/queue/a/push", "{'item':1}", "Idempotency-Key", key).expect(400);
      assertThat(reply.text("/error")).contains("Idempotency-Key: expected");
    }
    Reply two =
        send(
            "POST",
            "/api/v1/push",
            "{'requestId':'one','items':[{'queue':'a','payload':1}]}",
            "Idempotency-Key",
            "two");
    assertThat(two.expect(400).text("/field")).isEqualTo("Idempotency-Key");
  }

  @Test
  void shouldCompressALargeListForAClientThatAcceptsIt() throws Exception {
    // given
    StringBuilder items = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      items.append(i == 0 ? "" : ",").append("{'queue':'a','payload':").append(i).append('}');
    }
    post("/api/v1/push", "{'items':[" + items + "]}").expect(201);
    String path = "/api/v1/messages?queue=a";
    // when
    HttpResponse<byte[]> packed = fetch(path, "gzip, br");
    HttpResponse<byte[]> plain = fetch(path, "gzip;q=0");
    // then
    assertThat(packed.headers().firstValue("Content-Encoding")).hasValue("gzip");
    assertThat(packed.headers().firstValue("Vary")).hasValue("Accept-Encoding");
    assertThat(plain.headers().firstValue("Content-Encoding")).isEmpty();
    assertThat(plain.headers().firstValue("Vary")).hasValue("Accept-Encoding");
    assertThat(packed.body().length).isLessThan(plain.body().length / 4);
    assertThat(unpacked(packed.body())).isEqualTo(new String(plain.body(), StandardCharsets.UTF_8));
  }

  private HttpResponse<byte[]> fetch(String path, String encodings) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(uri(path)).header("Accept-Encoding", encodings).build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request, BodyHandlers.ofByteArray());
    }
  }

  private static String unpacked(byte[] body) throws IOException {
    return new String(
        new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes(), StandardCharsets.UTF_8);
  }
}
