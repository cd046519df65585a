package io.holdfast.server.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where requests end, and which cannot be told. In these texts a bar stands for CR and LF. */
class FramingTest {
  private static final String GET = "GET /a HTTP/1.1|Host: x||";
  private static final String POST = "POST /a HTTP/1.1|Host: x|";
  private static final RequestBounds BOUNDS = new RequestBounds(100, 200, 10, 64);

  private static byte[] bytes(String text) {
    return text.replace("|", "\r\n").getBytes(ISO_8859_1);
  }

  private static String bars(String text) {
    return text.replace("\r\n", "|");
  }

  /** Shows bytes in packets, and answers what was let through in each step. */
  private static List<String> letThrough(String text, int packet) {
    Framing framing = new Framing(BOUNDS);
    List<String> passed = new ArrayList<>();
    byte[] held = {};
    byte[] all = bytes(text);
    for (int at = 0; at < all.length; at += packet) {
      int more = Math.min(packet, all.length - at);
      byte[] shown = new byte[held.length + more];
      System.arraycopy(held, 0, shown, 0, held.length);
      System.arraycopy(all, at, shown, held.length, more);
      int count = framing.take(shown, shown.length);
      if (count > 0) {
        passed.add(new String(shown, 0, count, ISO_8859_1));
      }
      held = Arrays.copyOfRange(shown, count, shown.length);
    }
    assertThat(framing.isInHead()).as("the last request is over").isTrue();
    assertThat(held).as("what is left").isEmpty();
    return passed;
  }

  private static Problem refusal(String text) {
    byte[] all = bytes(text);
    return catchThrowableOfType(Problem.class, () -> new Framing(BOUNDS).take(all, all.length));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1000})
  void shouldLetThroughRequestsHoweverTheyAreCut(int packet) {
    // given
    String requests =
        GET
            + POST
            + "Content-Length: 7||12||1"
            + GET
            + POST
            + "Transfer-Encoding: chunked||6|ab|cd|0a|0123456789|0||"
            + POST
            + "content-length:  0 ||"
            + GET;
    // when
    List<String> passed = letThrough(requests, packet);
    // then
    assertThat(bars(String.join("", passed))).isEqualTo(requests);
  }

  @Test
  void shouldLetAHeadThroughOnlyAsAWhole() {
    // when
    List<String> passed = letThrough(GET + POST + "Content-Length: 3||abc", 1);
    // then
    assertThat(passed.stream().map(FramingTest::bars))
        .containsExactly(GET, POST + "Content-Length: 3||", "a", "b", "c");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /a HTTP/1.1\nHost: x\n\n",
        "GET /a HTTP/1.1|Host: x\n|",
        "GET /a HTTP/1.1\r Host: x||",
        "GET /a HTTP/1.1|Host: x|X: a\rb||",
        "GET /a HTTP/1.1|Host: x|X: a\u0000b||",
        "GET /a HTTP/1.1|Host: x|X: a\u007fb||",
        "|GET /a HTTP/1.1|Host: x||",
        "GET /a HTTP/1.1|Host: x| folded||",
        "GET /a HTTP/1.1|Host: x|\tfolded||",
        "GET /a HTTP/1.1|Host : x||",
        "GET /a HTTP/1.1|Ho st: x||",
        "GET /a HTTP/1.1|: x||",
        "GET /a HTTP/1.1|Host||",
        "GET /a HTTP/1.1|H\u00f6st: x||",
        "GET /a HTTP/1.1|Host: x|hOST: x||",
        "GET http://y/a HTTP/1.1|Host: x||",
        "GET  /a HTTP/1.1|Host: x||",
        "GET|Host: x||",
        "CONNECT y:80 HTTP/1.1|Host: x||",
        "OPTIONS * HTTP/1.1|Host: x||",
        POST + "Content-Length: 3|Content-Length: 3||abc",
        POST + "Content-Length: 3|Content-Length: 4||abc",
        POST + "Content-Length: 3, 3||abc",
        POST + "Content-Length: +3||abc",
        POST + "Content-Length: -3||abc",
        POST + "Content-Length: 0x3||abc",
        POST + "Content-Length: 3 3||abc",
        POST + "Content-Length:||",
        POST + "Content-Length: 9999999999999999||",
        POST + "Content-Length: 3|Transfer-Encoding: chunked||0||",
        POST + "Transfer-Encoding: chunked|Content-Length: 3||0||",
        POST + "Transfer-Encoding: chunked|Transfer-Encoding: chunked||0||",
        POST + "Transfer-Encoding: gzip, chunked||0||",
        POST + "Transfer-Encoding: identity||0||",
        POST + "Transfer-Encoding: xchunked||0||",
        POST + "Transfer-Encoding:\u000bchunked||0||",
        POST + "Transfer-Encoding : chunked||0||"
      })
  void shouldRefuseAHeadThatCouldBeUnderstoodInTwoWays(String text) {
    assertThat(refusal(text).status()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "|",
        "3;x=y|abc|0||",
        " 3|abc|0||",
        "3 |abc|0||",
        "0x3|abc|0||",
        "-3|abc|0||",
        "3\nabc|0||",
        "3\r\rabc|0||",
        "3|abcd|0||",
        "3|abc\n0||",
        "3|abc0||",
        "000000003|abc|0||",
        "3|abc|0|Trailer: x||",
        "3|abc|0|GET / HTTP/1.1||"
      })
  void shouldRefuseChunksThatCouldBeUnderstoodInTwoWays(String chunks) {
    // given
    Framing framing = new Framing(BOUNDS);
    byte[] all = bytes(POST + "Transfer-Encoding: chunked||" + chunks);
    // when
    int count = framing.take(all, all.length);
    // then
    assertThat(count).as("what is good is let through first").isLessThan(all.length);
    byte[] rest = Arrays.copyOfRange(all, count, all.length);
    assertThatThrownBy(() -> framing.take(rest, rest.length))
        .isInstanceOfSatisfying(
            Problem.class, refused -> assertThat(refused.status()).isEqualTo(400));
  }

  @Test
  void shouldAnswerAnHonestRequestBeforeItRefusesTheNext() {
    // given
    Framing framing = new Framing(BOUNDS);
    byte[] all = bytes(GET + "GET /b HTTP/1.1|Bad Header: x||" + GET);
    // when
    int count = framing.take(all, all.length);
    // then
    assertThat(count).isEqualTo(bytes(GET).length);
    byte[] rest = Arrays.copyOfRange(all, count, all.length);
    assertThatThrownBy(() -> framing.take(rest, rest.length)).isInstanceOf(Problem.class);
  }

  @ParameterizedTest
  @CsvSource({"gzip,415", "deflate,415", "br,415", "'gzip, identity',415", "identity,0"})
  void shouldRefuseBodiesInACoding(String coding, int status) {
    Problem refused = refusal(POST + "Content-Encoding: " + coding + "|Content-Length: 0||");
    assertThat(refused == null ? 0 : refused.status()).isEqualTo(status);
  }

  @Test
  void shouldBoundEveryPart() {
    // given
    String longLine = "GET /" + "x".repeat(100) + " HTTP/1.1|Host: x||";
    String longHeader = "GET /a HTTP/1.1|Host: x|X: " + "x".repeat(300) + "||";
    String manyHeaders = "GET /a HTTP/1.1|Host: x|" + "X: y|".repeat(10) + "|";
    // then
    assertThat(refusal(longLine).status()).isEqualTo(414);
    assertThat(refusal(longLine.substring(0, 102)).status()).as("before its end").isEqualTo(414);
    assertThat(refusal(longHeader).status()).isEqualTo(431);
    assertThat(refusal(longHeader.substring(0, 320)).status()).isEqualTo(431);
    assertThat(refusal(manyHeaders).status()).isEqualTo(431);
    assertThat(refusal(manyHeaders.replaceFirst("X: y\\|", ""))).isNull();
  }

  @Test
  void shouldRefuseAChunkThatIsTooLargeBeforeItComes() {
    // given
    Framing framing = new Framing(BOUNDS);
    byte[] all = bytes(POST + "Transfer-Encoding: chunked||");
    framing.take(all, all.length);
    byte[] size = bytes("7fffffff|");
    // when
    int count = framing.take(size, size.length);
    // then
    byte[] rest = Arrays.copyOfRange(size, count, size.length);
    assertThatThrownBy(() -> framing.take(rest, rest.length))
        .isInstanceOfSatisfying(
            Problem.class, refused -> assertThat(refused.status()).isEqualTo(413));
  }
}
