package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.server.access.NamePatterns;
import io.holdfast.server.access.Role;
import io.holdfast.server.access.TokenFile;
import io.holdfast.server.access.TokenWish;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Browsers sign in with a token, and go by a cookie that is worth no more than it. */
class SessionTest extends ServerFixture {
  private static final Pattern COOKIE =
      Pattern.compile("(holdfast_session_[0-9]+=[A-Za-z0-9_-]{43});.*");
  private static final String SESSION = "/api/v1/session";
  private static final String WHO = "/api/v1/whoami";

  private TokenFile.@Nullable Made made;

  @Override
  protected ServerConfig config() {
    made = make(Role.ADMIN, "*");
    return super.config().tokens(file().path());
  }

  private TokenFile file() {
    return new TokenFile(temp.resolve("tokens"));
  }

  private TokenFile.Made make(Role role, String... queues) {
    TokenWish wish = new TokenWish("test", role, NamePatterns.of(List.of(queues)), 0);
    return file().create(wish, clock.wallMs());
  }

  private String token() {
    TokenFile.Made known = made;
    return known == null ? "" : known.text();
  }

  private Reply signIn(String token) {
    return post(SESSION, "{'token':'" + token + "'}");
  }

  private String cookie() {
    Matcher cookie = COOKIE.matcher(signIn(token()).expect(204).header("Set-Cookie"));
    assertThat(cookie.matches()).isTrue();
    return cookie.group(1);
  }

  private Reply ask(String method, String path, String cookie, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path))
            .method(method, BodyPublishers.noBody())
            .header("Cookie", "theme=dark; " + cookie);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return send(request.build());
  }

  @Test
  void shouldGiveACookieThatScriptsAndOtherPagesCannotUse() {
    // when
    Reply reply = signIn(token()).expect(204);
    // then
    assertThat(reply.header("Set-Cookie"))
        .matches(COOKIE)
        .endsWith("; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict");
    assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
  }

  @Test
  void shouldLetInWhoHasTheCookieAsTheTokenWould() {
    // given
    String cookie = cookie();
    // then
    Reply who = ask("GET", WHO, cookie).expect(200);
    assertThat(who.text("/role")).isEqualTo("admin");
    get(WHO).expect(401);
    ask("GET", WHO, "holdfast_session_" + server.port() + "=" + "A".repeat(43)).expect(401);
    // A token that is shown counts more than the cookie.
    ask("GET", WHO, cookie, "Authorization", "Bearer hf_nonsense").expect(401);
  }

  @Test
  void shouldRefuseBadTokens() {
    for (int i = 0; i < 10; i++) {
      assertThat(signIn("hf_nonsense").expect(401).header("Set-Cookie")).isEmpty();
    }
    signIn(token()).expect(204);
    post(SESSION, "{}").expect(400);
  }

  @Test
  void shouldTakeChangesOnlyFromPagesOfOurs() {
    // given
    String cookie = cookie();
    String pause = "/api/v1/resources/queues/q/pause";
    broker.configure(ConfigureRequest.queue("q")).orThrow();
    String origin = uri("").toString();
    // then
    ask("POST", pause, cookie).expect(403);
    ask("POST", pause, cookie, "Sec-Fetch-Site", "cross-site").expect(403);
    ask("POST", pause, cookie, "Sec-Fetch-Site", "none").expect(403);
    ask("POST", pause, cookie, "Origin", "http://evil.example").expect(403);
    ask("POST", pause, cookie, "Origin", "null").expect(403);
    assertThat(broker.queue("q").orThrow().paused()).isFalse();
    ask("POST", pause, cookie, "Origin", origin).expect(200);
    ask("POST", pause, cookie, "Sec-Fetch-Site", "same-origin").expect(200);
    ask("GET", WHO, cookie).expect(200);
  }

  @Test
  void shouldTakeAPopForAChangeThoughItIsAGet() {
    // given
    String cookie = cookie();
    String pop = "/api/v1/pop/queue/q";
    // then
    ask("GET", pop, cookie).expect(403);
    ask("GET", pop, cookie, "Sec-Fetch-Site", "none").expect(403);
    ask("GET", pop, cookie, "Sec-Fetch-Site", "same-origin").expect(204);
    // Nor does a page of another origin get anything else that is not public.
    ask("GET", WHO, cookie, "Sec-Fetch-Site", "cross-site").expect(403);
    ask("GET", "/health/live", cookie, "Sec-Fetch-Site", "cross-site").expect(200);
  }

  @Test
  void shouldEndWithSignOut() {
    // given
    String cookie = cookie();
    // when
    Reply out = ask("DELETE", SESSION, cookie, "Sec-Fetch-Site", "same-origin").expect(204);
    // then
    assertThat(out.header("Set-Cookie"))
        .startsWith("holdfast_session_" + server.port() + "=; Path=/; Max-Age=0;");
    ask("GET", WHO, cookie).expect(401);
  }

  @Test
  void shouldEndWithItsTokenAndAfterTwelveHours() {
    // given
    String cookie = cookie();
    String other = cookie();
    // when
    advanceSeconds(12 * 3600 - 1);
    ask("GET", WHO, cookie).expect(200);
    advanceSeconds(1);
    ask("GET", WHO, cookie).expect(401);
    // then
    String fresh = cookie();
    ask("GET", WHO, other).expect(401);
    TokenFile.Made known = made;
    assertThat(known).isNotNull();
    file().revoke(known.token().id(), clock.wallMs());
    Awaitility.await()
        .pollInterval(Duration.ofMillis(20))
        .untilAsserted(() -> ask("GET", WHO, fresh).expect(401));
  }

  @Test
  void shouldForgetTheOldestOfTooManyOfOneToken() {
    // given
    String others = cookie();
    made = make(Role.READ_ONLY, "q");
    Awaitility.await()
        .pollInterval(Duration.ofMillis(20))
        .untilAsserted(() -> signIn(token()).expect(204));
    String first = cookie();
    String second = cookie();
    // when
    for (int i = 0; i < 19; i++) {
      signIn(token()).expect(204);
    }
    // then
    ask("GET", WHO, first).expect(401);
    ask("GET", WHO, second).expect(200);
    for (int i = 0; i < 1_000; i++) {
      signIn(token()).expect(204);
    }
    ask("GET", WHO, second).expect(401);
    ask("GET", WHO, others).expect(200);
  }

  @Test
  void shouldHaveAnotherCookieThanABrokerOnAnotherPortOfTheHost() {
    String first = signIn(token()).expect(204).header("Set-Cookie").replaceFirst("=.*", "");
    restart();
    String second = signIn(token()).expect(204).header("Set-Cookie").replaceFirst("=.*", "");
    assertThat(first).isNotEqualTo(second);
  }

  @Test
  void shouldEndTheSessionOfABrowserThatSignsInAgain() {
    // given
    String cookie = cookie();
    // when
    send(HttpRequest.newBuilder(uri(SESSION))
            .POST(BodyPublishers.ofString("{\"token\":\"" + token() + "\"}"))
            .header("Cookie", cookie)
            .header("Origin", uri("").toString())
            .build())
        .expect(204);
    // then
    ask("GET", WHO, cookie).expect(401);
  }
}
