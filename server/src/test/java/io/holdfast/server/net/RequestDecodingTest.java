package io.holdfast.server.net;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.http.Problem;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests are decoded, and which are refused. A bar stands for CR and LF. */
class RequestDecodingTest {
  private static final String GET = "GET /a HTTP/1.1|Host: x||";
  private static final String POST = "POST /a HTTP/1.1|Host: x|";
  private static final RequestBounds BOUNDS = new RequestBounds(100, 200, 10);

  /** What came out of the decoder: requests with their bodies, and why the last was refused. */
  private record Decoded(String requests, @Nullable Problem refusal, boolean rests) {
    int status() {
      return refusal == null ? 0 : refusal.status();
    }
  }

  private static Decoded decode(String text, int packet) {
    StrictRequestDecoder decoder = new StrictRequestDecoder(BOUNDS, () -> {});
    EmbeddedChannel channel = new EmbeddedChannel(decoder);
    byte[] all = text.replace("|", "\r\n").getBytes(ISO_8859_1);
    for (int at = 0; at < all.length; at += packet) {
      channel.writeInbound(
          Unpooled.wrappedBuffer(Arrays.copyOfRange(all, at, Math.min(all.length, at + packet))));
    }
    StringBuilder requests = new StringBuilder();
    Problem refusal = null;
    for (Object one = channel.readInbound(); one != null; one = channel.readInbound()) {
      if (refusal == null) {
        refusal = add(one, requests);
      }
      ReferenceCountUtil.release(one);
    }
    boolean rests = decoder.isBetweenRequests();
    channel.finishAndReleaseAll();
    return new Decoded(requests.toString(), refusal, rests);
  }

  private static @Nullable Problem add(Object one, StringBuilder requests) {
    if (one instanceof HttpRequest head) {
      requests.append(head.method()).append(head.uri()).append('(');
      return RequestRules.refusal(head, BOUNDS);
    }
    HttpContent content = (HttpContent) one;
    requests.append(content.content().toString(ISO_8859_1));
    if (content.decoderResult().isFailure()) {
      return RequestRules.chunks();
    }
    if (content instanceof LastHttpContent last) {
      requests.append(')');
      return last.trailingHeaders().isEmpty() ? null : RequestRules.chunks();
    }
    return null;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1000})
  void shouldDecodeRequestsHoweverTheyAreCut(int packet) {
    // given
    String requests =
        GET
            + POST
            + "Content-Length: 7||12||1"
            + GET
            + POST
            + "Transfer-Encoding: chunked||6|ab|cd|a|0123456789|13|0123456789012345678|0||"
            + POST
            + "content-length:  0 ||"
            + GET;
    // when
    Decoded decoded = decode(requests, packet);
    // then
    assertThat(decoded.refusal()).isNull();
    assertThat(decoded.requests())
        .isEqualTo(
            "GET/a()POST/a(12\r\n\r\n1)GET/a()POST/a(ab\r\ncd01234567890123456789012345678)POST/a()"
                + "GET/a()");
    assertThat(decoded.rests()).isTrue();
  }

  @Test
  void shouldKnowWhetherARequestHasBegun() {
    assertThat(decode("G", 1).rests()).isFalse();
    assertThat(decode("|", 2).rests()).isFalse();
    assertThat(decode("GET /a HTTP/1.1|", 100).rests()).isFalse();
    assertThat(decode(POST + "Content-Length: 2||x", 100).rests()).isFalse();
    assertThat(decode(GET, 100).rests()).isTrue();
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
        "GET /a  HTTP/1.1|Host: x||",
        " GET /a HTTP/1.1|Host: x||",
        "GET /a HTTP/1.0|Host: x||",
        "GET /a HTTP/2.0|Host: x||",
        "GET /\u00e4 HTTP/1.1|Host: x||",
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
    assertThat(decode(text, 1000).status()).isEqualTo(400);
    assertThat(decode(text, 1).status()).as("byte by byte").isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "|",
        "3;x=y|abc|0||",
        "3;|abc|0||",
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
        "03|abc|0||",
        "3|abc|0;x||",
        "3|abc|00||",
        "3|abc|0|Trailer: x||",
        "3|abc|0|Content-Length: 3||",
        "3|abc|0|GET / HTTP/1.1||"
      })
  void shouldRefuseChunksThatCouldBeUnderstoodInTwoWays(String chunks) {
    for (int packet : new int[] {1, 2, 5, 1000}) {
      Decoded decoded = decode(POST + "Transfer-Encoding: chunked||" + chunks, packet);
      assertThat(decoded.status()).as("packets of " + packet).isEqualTo(400);
    }
  }

  @Test
  void shouldDecodeAnHonestRequestBeforeItRefusesTheNext() {
    Decoded decoded = decode(GET + "GET /b HTTP/1.1|Bad Header: x||" + GET, 1000);
    assertThat(decoded.requests()).startsWith("GET/a()");
    assertThat(decoded.status()).isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource({"gzip,415", "deflate,415", "br,415", "'gzip, identity',415", "identity,0"})
  void shouldRefuseBodiesInACoding(String coding, int status) {
    String text = POST + "Content-Encoding: " + coding + "|Content-Length: 0||";
    assertThat(decode(text, 1000).status()).isEqualTo(status);
  }

  @Test
  void shouldBoundEveryPart() {
    // given
    String longLine = "GET /" + "x".repeat(100) + " HTTP/1.1|Host: x||";
    String longHeader = "GET /a HTTP/1.1|Host: x|X: " + "x".repeat(300) + "||";
    String manyHeaders = "GET /a HTTP/1.1|Host: x|" + "X: y|".repeat(10) + "|";
    // then
    assertThat(decode(longLine, 1000).status()).isEqualTo(414);
    assertThat(decode(longLine.substring(0, 103), 7).status()).as("before its end").isEqualTo(414);
    assertThat(decode(longHeader, 1000).status()).isEqualTo(431);
    assertThat(decode(longHeader.substring(0, 320), 7).status()).isEqualTo(431);
    assertThat(decode(manyHeaders, 1000).status()).isEqualTo(431);
    assertThat(decode(manyHeaders.replaceFirst("X: y\\|", ""), 1000).refusal()).isNull();
  }
}
