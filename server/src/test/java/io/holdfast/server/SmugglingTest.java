package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Requests that hide another one, or would be another one to somebody on the way: one answer, then
 * the server hangs up, and the hidden one is never done. A bar stands for CR and LF.
 */
class SmugglingTest extends ServerFixture {
  private static final String BODY = "{\"items\":[{\"queue\":\"hidden\",\"payload\":123}]}";
  private static final String HIDDEN =
      "POST /api/v1/push HTTP/1.1|Host: localhost|Content-Length: 44||" + BODY;
  private static final String HEAD = "POST /api/v1/push HTTP/1.1|Host: localhost|";
  private static final String HEALTH = "GET /health/live HTTP/1.1|Host: localhost||";

  @Override
  protected ServerConfig config() {
    return super.config().bodyBytesMax(4_096);
  }

  private String exchange(String text) {
    try (Poll poll = Poll.connect(server.port())) {
      poll.sendLast(text.replace("|", "\r\n"));
      return poll.rest();
    }
  }

  /** One server for all of them: each has a connection of its own. */
  private static Stream<DynamicTest> each(List<String> texts, Consumer<String> test) {
    return texts.stream().map(text -> dynamicTest("<" + text + ">", () -> test.accept(text)));
  }

  private static int answers(String all) {
    return all.split("HTTP/1\\.1 ", -1).length - 1;
  }

  private void refusedOnce(String answer, String status) {
    assertThat(answer).startsWith("HTTP/1.1 " + status).containsIgnoringCase("connection: close");
    assertThat(answers(answer)).as(answer).isEqualTo(1);
    assertThat(answer).contains("\"error\":\"", "\"code\":\"");
    assertThat(broker.stats().orThrow().totals().pushed()).as("hidden pushes").isZero();
  }

  @TestFactory
  Stream<DynamicTest> shouldRefuseAHeadThatHidesARequest() {
    return each(
        List.of(
            HEAD + "Content-Length: 5|Transfer-Encoding: chunked||0||" + HIDDEN,
            HEAD + "Transfer-Encoding: chunked|Content-Length: 5||0||" + HIDDEN,
            HEAD + "Content-Length: 0|Content-Length: 44||" + HIDDEN,
            HEAD + "Content-Length: 0|Content-Length: 0||" + HIDDEN,
            HEAD + "Content-Length: 0, 44||" + HIDDEN,
            HEAD + "Content-Length: +0||" + HIDDEN,
            HEAD + "Content-Length : 0||" + HIDDEN,
            HEAD + "Content-Length: 0| : folded||" + HIDDEN,
            HEAD + "X: y|\tContent-Length: 44||" + HIDDEN,
            HEAD + "X: y\rContent-Length: 44||" + HIDDEN,
            HEAD + "X: y\nContent-Length: 44||" + HIDDEN,
            HEAD + "X: y\n\n" + HIDDEN,
            HEAD + "Transfer-Encoding: identity, chunked||0||" + HIDDEN,
            HEAD + "Transfer-Encoding: chunked, identity||0||" + HIDDEN,
            HEAD + "Transfer-Encoding: chunked|Transfer-Encoding: x||0||" + HIDDEN,
            HEAD + "Transfer-Encoding: \u000bchunked||0||" + HIDDEN,
            HEAD + "Transfer-Encoding\u0000: chunked||0||" + HIDDEN,
            HEAD + "Host: localhost|Content-Length: 0||" + HIDDEN,
            "POST /api/v1/push HTTP/1.1|Host: localhost|hOsT: evil|Content-Length: 0||" + HIDDEN,
            "POST http://localhost/api/v1/push HTTP/1.1|Host: localhost|Content-Length: 0||"
                + HIDDEN,
            "POST /a HTTP/1.1 HTTP/1.1|Host: localhost|Content-Length: 0||" + HIDDEN,
            "|POST /a HTTP/1.1|Host: localhost|Content-Length: 0||" + HIDDEN),
        text -> {
          refusedOnce(exchange(text), "400");
        });
  }

  @TestFactory
  Stream<DynamicTest> shouldRefuseChunksThatHideARequest() {
    return each(
        List.of(
            "0;ext|" + "|" + HIDDEN,
            "00000000f||" + HIDDEN,
            "2|{}0||" + HIDDEN,
            "2|{}x|0||" + HIDDEN,
            "0|X: y||" + HIDDEN,
            "0\n\n" + HIDDEN,
            "-1||" + HIDDEN,
            "0x0||" + HIDDEN),
        chunks -> {
          refusedOnce(exchange(HEAD + "Transfer-Encoding: chunked||" + chunks), "400");
        });
  }

  @Test
  void shouldNotTakeABodyThatNobodyAskedForForARequest() {
    // given
    String text =
        "POST /nowhere HTTP/1.1|Host: localhost|Expect: 100-continue|Content-Length: "
            + HIDDEN.replace("|", "||").length()
            + "||"
            + HIDDEN;
    // then
    refusedOnce(exchange(text), "404");
  }

  @Test
  void shouldStillAskForABodyThatIsAnnounced() throws Exception {
    try (Poll poll = Poll.connect(server.port())) {
      // given
      poll.send((HEAD + "Expect: 100-continue|Content-Length: 44||").replace("|", "\r\n"));
      assertThat(poll.answer()).startsWith("HTTP/1.1 100");
      // when
      poll.send(BODY);
      // then
      assertThat(BODY).hasSize(44);
      assertThat(poll.answer()).startsWith("HTTP/1.1 201");
    }
  }

  @Test
  void shouldAnswerAnHonestRequestAndThenRefuseTheNext() {
    // when
    String answer = exchange(HEALTH + HEALTH + HEAD + "Content-Length: 0|Bad : x||" + HIDDEN);
    // then
    assertThat(answers(answer)).as(answer).isEqualTo(3);
    assertThat(answer).startsWith("HTTP/1.1 200").contains("HTTP/1.1 400");
    assertThat(broker.stats().orThrow().totals().pushed()).isZero();
  }

  @TestFactory
  Stream<DynamicTest> shouldRefuseBodiesInACoding() {
    return each(
        List.of("gzip", "GZIP", "deflate", "br", "zstd", "gzip, gzip", "x"),
        coding -> {
          refusedOnce(
              exchange(HEAD + "Content-Encoding: " + coding + "|Content-Length: 44||" + HIDDEN),
              "415");
        });
  }

  @Test
  void shouldTakeABodyThatSaysItIsAsItIs() throws Exception {
    try (Poll poll = Poll.connect(server.port())) {
      poll.send(
          (HEAD + "Content-Encoding: identity|Content-Length: 44||").replace("|", "\r\n") + BODY);
      assertThat(poll.answer()).startsWith("HTTP/1.1 201");
    }
  }

  @TestFactory
  Stream<DynamicTest> shouldNotBeTrickedByPaths() {
    return each(
        List.of(
            "/api/v1/%2e%2e/push",
            "/api/v1/../v1/push",
            "/api/v1/pop/queue/%2e%2e",
            "/api/v1/pop/queue/..;/x",
            "/api/v1/..;/push",
            "/api//v1/push",
            "//api/v1/push",
            "//evil.example/api/v1/push",
            "/api/v1/push/",
            "/api/v1/push%2f",
            "/api/v1/push%00",
            "/api/v1/pop/queue/%00",
            "/api/v1/pop/queue/%c0%ae%c0%ae",
            "/api/v1/pop/queue/%e0%80%ae",
            "/api/v1/pop/queue/%ed%a0%80",
            "/api/v1/pop/queue/%0d%0aX-Evil:%201",
            "/api/v1/pop/queue/a%20b%0a",
            "/api/v1/pop/queue/\u00ff",
            "/api/v1/pop/queue/x\\..\\y/z",
            "/API/V1/PUSH",
            "/%61pi/v1/../push"),
        path -> {
          try (Poll poll = Poll.connect(server.port())) {
            poll.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            assertThat(poll.rest()).matches("(?s)HTTP/1\\.1 40[045] .*").doesNotContain("X-Evil:");
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> shouldNotBeTrickedByHosts() {
    return each(
        List.of(
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "localhost.",
            "evil.example:6632",
            "localhost@evil.example",
            "evil.example#localhost",
            "[::1]evil.example",
            "[::1].evil.example:80",
            "[::ffff:127.0.0.1]",
            "127.1",
            "0x7f000001",
            "2130706433",
            "0.0.0.0",
            "localhost:80:80",
            "localhost:x",
            ":80",
            ""),
        host -> {
          try (Poll poll = Poll.connect(server.port())) {
            poll.send(
                "GET /api/v1/pop/queue/q HTTP/1.1\r\nHost: "
                    + host
                    + "\r\nConnection: close\r\n\r\n");
            assertThat(poll.rest()).matches("(?s)HTTP/1\\.1 40[03] .*");
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> shouldKnowItsOwnNames() {
    return each(
        List.of("localhost", "LOCALHOST:80", "127.0.0.1", "127.0.0.1:1", "[::1]:5"),
        host -> {
          try (Poll poll = Poll.connect(server.port())) {
            poll.send("GET /health HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
            assertThat(poll.rest()).startsWith("HTTP/1.1 200");
          }
        });
  }
}
