package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.access.NamePatterns;
import io.holdfast.server.access.Role;
import io.holdfast.server.access.TokenFile;
import io.holdfast.server.access.TokenWish;
import io.holdfast.server.http.TrustedProxies;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server behind a proxy: which client it takes a request for, and whether over TLS. */
class ProxyTest extends ServerFixture {
  private final RecordedLog log = RecordedLog.of("holdfast.audit");
  private TrustedProxies trusted =
      TrustedProxies.of(List.of("127.0.0.0/8", "10.1.0.0/16", "fd00::/8"));
  private String token = "";

  @AfterEach
  void closeLog() {
    log.close();
  }

  @Override
  protected ServerConfig config() {
    TokenFile file = new TokenFile(temp.resolve("tokens"));
    token =
        file.create(new TokenWish("ops", Role.ADMIN, NamePatterns.ALL, 0), clock.wallMs()).text();
    return super.config().tokens(file.path()).trustedProxies(trusted);
  }

  private Reply signIn(String... headers) {
    return send(
        HttpRequest.newBuilder(uri("/api/v1/session"))
            .POST(BodyPublishers.ofString("{\"token\":\"" + token + "\"}"))
            .headers(headers)
            .build());
  }

  /** Each proxy adds the address of its peer at the end; what stands before is only claimed. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "192.0.2.7 | 192.0.2.7",
        "198.51.100.9, 192.0.2.7 | 192.0.2.7",
        "192.0.2.7, 10.1.2.3 | 192.0.2.7",
        "10.1.2.3 | 10.1.2.3",
        "192.0.2.7, 10.2.0.1 | 10.2.0.1",
        "2001:db8::1, fd12::1 | 2001:db8:0:0:0:0:0:1",
        "192.0.2.7, example.org | 127.0.0.1",
        "192.0.2.7, 127.1 | 127.0.0.1",
        "nonsense | 127.0.0.1"
      })
  void shouldTellTheClientOfATrustedProxy(String forwarded, String client) {
    signIn("X-Forwarded-For", forwarded).expect(204);
    assertThat(log.lines()).singleElement().asString().contains(" from=" + client + " ");
  }

  @Test
  void shouldReadTheHeaderAlsoInSeveralLines() {
    signIn("X-Forwarded-For", "198.51.100.9", "X-Forwarded-For", "192.0.2.7").expect(204);
    assertThat(log.lines()).singleElement().asString().contains(" from=192.0.2.7 ");
  }

  @Test
  void shouldMarkTheCookieAsSecureBehindAProxyThatSpeaksTls() {
    assertThat(signIn("X-Forwarded-Proto", "https").expect(204).header("Set-Cookie"))
        .endsWith("; Secure");
    assertThat(signIn("X-Forwarded-Proto", "http").expect(204).header("Set-Cookie"))
        .doesNotContain("Secure");
    assertThat(signIn("X-Forwarded-Proto", "https, http").expect(204).header("Set-Cookie"))
        .doesNotContain("Secure");
  }

  @Test
  void shouldLogBadTokensOfEachClientOnceAMinute() {
    String good = token;
    token = "hf_nonsense";
    try (RecordedLog lines = RecordedLog.of("holdfast.audit")) {
      for (String client : List.of("192.0.2.7", "192.0.2.7", "192.0.2.8", "192.0.2.7")) {
        signIn("X-Forwarded-For", client).expect(401);
      }
      assertThat(lines.lines()).hasSize(2);
    }
    token = good;
  }

  @Test
  void shouldBelieveNobodyElse() {
    trusted = TrustedProxies.of(List.of("10.1.0.0/16"));
    restart();
    Reply reply = signIn("X-Forwarded-For", "192.0.2.7", "X-Forwarded-Proto", "https").expect(204);
    assertThat(reply.header("Set-Cookie")).doesNotContain("Secure");
    assertThat(log.lines()).singleElement().asString().contains(" from=127.0.0.1 ");
  }
}
