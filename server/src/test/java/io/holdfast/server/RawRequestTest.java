package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.http.Patience;
import io.holdfast.testkit.WaitLimits;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes on the wire that no decent client sends: the server answers or hangs up, and goes on. */
class RawRequestTest extends ServerFixture {
  private static final String PUSH = "{\"items\":[{\"queue\":\"q\",\"payload\":1}]}";

  @Override
  protected ServerConfig config() {
    return super.config()
        .patience(
            Patience.usual()
                .pause(Duration.ofSeconds(2))
                .rest(Duration.ofMinutes(1), Duration.ofMillis(100)))
        .bodyBytesMax(4_096);
  }

  /** Sends bytes and reads until the server hangs up or says nothing more. */
  private String exchange(String bytes, boolean shutOutput) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout((int) WaitLimits.EVENT.toMillis());
      socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      if (shutOutput) {
        socket.shutdownOutput();
      }
      return read(socket.getInputStream());
    } catch (IOException hungUp) {
      return "";
    }
  }

  private static String read(InputStream in) {
    StringBuilder answer = new StringBuilder();
    try {
      for (int b = in.read(); b >= 0; b = in.read()) {
        answer.append((char) b);
        if (answer.toString().endsWith("}") && answer.indexOf("\r\n\r\n") > 0) {
          break;
        }
      }
    } catch (SocketTimeoutException silent) {
      return "the server neither answers nor hangs up: " + answer;
    } catch (IOException reset) {
      // What has come is the answer.
    }
    return answer.toString();
  }

  private static String status(String answer) {
    return answer.length() < 12 ? "none" : answer.substring(9, 12);
  }

  private void goesOnUnchanged() {
    assertThat(broker.stats().orThrow().totals().pushed()).isZero();
    get("/api/v1/pop/queue/q").expect(204);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET\r\n\r\n",
        "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
        "G\u0000T / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /api/v1/pop/queue/%C3%28 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /api/v1/pop/queue/% HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /api/v1/pop/queue/%00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /api/v1/pop/queue/%0d%0aX:1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /api/v1/pop/queue/q?batch=%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /api/v1/pop/queue/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /api/v1/../push HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /api/v1/%2e%2e/push HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /api//v1/push HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "POST /api/v1/push HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        "POST /api/v1/push HTTP/1.1\r\nHost: localhost\r\nContent-Length: abc\r\n\r\n",
        "POST /api/v1/push HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n",
        "POST /api/v1/push HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "GET /api/v1/pop/queue/q HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        "GET /api/v1/pop/queue/q HTTP/1.1\r\n\r\n",
        "GET /api/v1/pop/queue/q HTTP/1.1\r\nHost: localhost\r\nBad Header: 1\r\n\r\n",
        "GET /api/v1/pop/queue/q HTTP/1.1\r\nHost localhost\r\n\r\n"
      })
  void shouldRefuseBrokenRequests(String bytes) {
    String answer = exchange(bytes, false);
    assertThat(status(answer)).as(answer).matches("4..|505|none");
    if (answer.contains("\r\n\r\n{")) {
      assertThat(answer).contains("\"error\"").contains("\"code\"");
    }
    goesOnUnchanged();
  }

  @Test
  void shouldRefuseHeadersThatAreTooLong() {
    String long1 = "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(40_000) + "\r\n\r\n";
    String long2 = "GET /" + "x".repeat(20_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    assertThat(status(exchange(long1, false))).matches("4..|none");
    assertThat(status(exchange(long2, false))).matches("4..|none");
    goesOnUnchanged();
  }

  @Test
  void shouldNotStoreABodyThatEndsEarly() {
    String cut =
        "POST /api/v1/push HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
            + (PUSH.length() + 10)
            + "\r\n\r\n"
            + PUSH;
    exchange(cut, true);
    goesOnUnchanged();
  }

  @Test
  void shouldHangUpOnABodyThatDoesNotCome() {
    String slow = "POST /api/v1/push HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{";
    assertThat(status(exchange(slow, false))).matches("408|400|none");
    goesOnUnchanged();
  }

  @Test
  void shouldRefuseABodyThatIsTooLargeHoweverItComes() {
    String large = "{\"items\":[{\"queue\":\"q\",\"payload\":\"" + "x".repeat(5_000) + "\"}]}";
    assertThat(send("POST", "/api/v1/push", large).expect(413).text("/code"))
        .isEqualTo("TOO_LARGE");
    String chunked =
        "POST /api/v1/push HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
            + Integer.toHexString(large.length())
            + "\r\n"
            + large
            + "\r\n0\r\n\r\n";
    assertThat(status(exchange(chunked, false))).isEqualTo("413");
    goesOnUnchanged();
  }

  @Test
  void shouldTakeNamesWithSlashesAndSpacesInPaths() {
    post("/api/v1/push", "{'items':[{'queue':'a/b c','payload':1}]}").expect(201);
    get("/api/v1/pop/queue/a%2Fb%20c").expect(200);
  }
}
