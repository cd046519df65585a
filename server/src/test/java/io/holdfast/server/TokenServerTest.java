package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.Limits;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.server.access.NamePatterns;
import io.holdfast.server.access.Role;
import io.holdfast.server.access.TokenFile;
import io.holdfast.server.access.TokenWish;
import io.holdfast.server.access.TokensException;
import io.holdfast.server.access.Watch;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A server with tokens: how they are made, shown, limited and taken back. */
class TokenServerTest extends ServerFixture {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final List<TokenFile.Made> known = new ArrayList<>();

  @Override
  protected ServerConfig config() {
    known.add(make(Role.ADMIN, "*"));
    return super.config().tokens(file().path());
  }

  private TokenFile file() {
    return new TokenFile(temp.resolve("tokens"));
  }

  private String admin() {
    return known.getFirst().text();
  }

  private TokenFile.Made make(Role role, String... queues) {
    TokenWish wish = new TokenWish("test", role, NamePatterns.of(List.of(queues)), 0);
    return file().create(wish, clock.wallMs());
  }

  private Reply ask(String method, String path, @Nullable String body, String token) {
    return send(
        HttpRequest.newBuilder(uri(path))
            .method(
                method,
                body == null
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(body.replace('\'', '"')))
            .header("Authorization", "Bearer " + token)
            .build());
  }

  private static ConditionFactory await() {
    return Awaitility.await().pollInterval(Duration.ofMillis(20));
  }

  private void untilKnown(String token) {
    await().until(() -> ask("GET", "/api/v1/whoami", null, token).status() == 200);
    // What was asked too early does not count any more.
    advanceSeconds(61);
  }

  @Test
  void shouldTellACallerWhatItMay() {
    TokenFile.Made made = make(Role.WRITE_ONLY, "orders.*", "mail");
    untilKnown(made.text());
    Reply reply = ask("GET", "/api/v1/whoami", null, made.text()).expect(200);
    assertThat(reply.json())
        .isEqualTo(
            JSON.readTree(
                """
                {"authentication":true,"id":"%s","name":"test","role":"write-only",
                 "access":["public","known","push","change"],
                 "queues":["orders.*","mail"],"expiresAt":null}"""
                    .formatted(made.token().id())));
  }

  @Test
  void shouldMakeListAndRevokeTokens() {
    // when
    Reply made =
        ask(
                "POST",
                "/api/v1/tokens",
                "{'role':'read-only','name':'dash','queues':['a.*'],'expiresSeconds':60}",
                admin())
            .expect(201);
    String token = made.text("/token");
    String id = made.text("/id");
    // then
    assertThat(token).startsWith("hf_" + id + "_");
    ask("GET", "/api/v1/whoami", null, token).expect(200);
    Reply list = ask("GET", "/api/v1/tokens", null, admin()).expect(200);
    assertThat(list.json().at("/tokens")).hasSize(2);
    assertThat(list.text("/tokens/1/state")).isEqualTo("good");
    assertThat(list.http().body()).doesNotContain(token.substring(14), "sha256");
    // when
    Reply revoked = ask("DELETE", "/api/v1/tokens/" + id, null, admin()).expect(200);
    // then
    assertThat(revoked.text("/state")).isEqualTo("revoked");
    ask("GET", "/api/v1/whoami", null, token).expect(401);
    ask("DELETE", "/api/v1/tokens/abcdefghjk", null, admin()).expect(404);
  }

  @Test
  void shouldNotTellOnWhenATokenEndsMeanwhile() throws IOException {
    // given
    int bytes = 500_000;
    int letters = 40;
    for (int i = 0; i < letters; i++) {
      broker.push(PushRequest.of(NewMessage.to("q", new byte[bytes]))).orThrow();
      Popped popped = broker.pop(PopRequest.queue("q")).orThrow();
      Handle handle = popped.messages().getFirst().handle();
      broker.settle(SettleRequest.of(Settle.kill(handle, "no use"))).orThrow();
    }
    TokenFile.Made made = make(Role.READ_ONLY, "*");
    untilKnown(made.text());
    try (Poll export = Poll.connectNarrow(server.port())) {
      export.send(
          ("GET /api/v1/dlq/export?queue=q HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s"
                  + "\r\nConnection: close\r\nCookie: holdfast_session=%s\r\n\r\n")
              .formatted(made.text(), "A".repeat(43)));
      assertThat(export.answer()).startsWith("HTTP/1.1 200");
      // when
      file().revoke(made.token().id(), clock.wallMs());
      await().until(() -> ask("GET", "/api/v1/whoami", null, made.text()).status() == 401);
      // then
      assertThat(export.rest())
          .hasSizeBetween(1, letters * bytes)
          .as("the end of a body in chunks")
          .doesNotEndWith("\r\n0\r\n\r\n");
    }
  }

  @Test
  void shouldLeavePlacesToListenForOtherTokens() throws IOException {
    // given
    TokenFile.Made made = make(Role.READ_ONLY, "q");
    untilKnown(made.text());
    List<Poll> polls = new ArrayList<>();
    try {
      for (int i = 0; i < 10; i++) {
        polls.add(listen(made.text()));
        assertThat(polls.getLast().answer()).startsWith("HTTP/1.1 200");
      }
      // when
      polls.add(listen(made.text()));
      // then
      assertThat(polls.getLast().answer()).startsWith("HTTP/1.1 429").contains("10 of one token");
      polls.add(listen(admin()));
      assertThat(polls.getLast().answer()).startsWith("HTTP/1.1 200");
    } finally {
      polls.forEach(Poll::close);
    }
  }

  private Poll listen(String token) {
    Poll poll = Poll.connect(server.port());
    poll.send(
        "GET /api/v1/live HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n"
            .formatted(token));
    return poll;
  }

  @Test
  void shouldRefuseTokensThatMakeNoSense() {
    for (String body :
        List.of(
            "{}",
            "{'role':'boss'}",
            "{'role':'admin','queues':[]}",
            "{'role':'admin','queues':['']}",
            "{'role':'admin','name':'a\\nb'}",
            "{'role':'admin','expiresSeconds':0}",
            "{'role':'admin','more':1}")) {
      ask("POST", "/api/v1/tokens", body, admin()).expect(400);
    }
    assertThat(file().read()).hasSize(1);
  }

  @Test
  void shouldEndATokenThatIsOver() {
    String token =
        ask("POST", "/api/v1/tokens", "{'role':'admin','expiresSeconds':60}", admin())
            .text("/token");
    advanceSeconds(59);
    ask("GET", "/api/v1/whoami", null, token).expect(200);
    advanceSeconds(1);
    ask("GET", "/api/v1/whoami", null, token).expect(401);
  }

  @Test
  void shouldForgetATokenWithinASecondOfItsRevocationElsewhere() {
    // given
    TokenFile.Made made = make(Role.READ_WRITE, "*");
    untilKnown(made.text());
    // when
    file().revoke(made.token().id(), clock.wallMs());
    // then
    assertThat(Watch.PERIOD).isLessThan(SECOND);
    await().until(() -> ask("GET", "/api/v1/whoami", null, made.text()).status() == 401);
    ask("GET", "/api/v1/whoami", null, admin()).expect(200);
  }

  @Test
  void shouldEndTheParkedPollOfATokenThatIsRevoked() throws Exception {
    // given
    TokenFile.Made made = make(Role.READ_WRITE, "*");
    untilKnown(made.text());
    Poll goes = poll(made.text());
    Poll stays = poll(admin());
    await().until(() -> broker.stats().orThrow().parkedPops() == 2);
    // when
    ask("DELETE", "/api/v1/tokens/" + made.token().id(), null, admin()).expect(200);
    // then
    assertThat(goes.answer()).as("the server hangs up").isEmpty();
    await().until(() -> broker.stats().orThrow().parkedPops() == 1);
    String push = "{'items':[{'queue':'orders','payload':1}]}";
    ask("POST", "/api/v1/push", push, admin()).expect(201);
    assertThat(stays.answer()).startsWith("HTTP/1.1 200");
    goes.close();
    stays.close();
  }

  private Poll poll(String token) {
    Poll poll = Poll.connect(server.port());
    poll.send(
        "GET /api/v1/pop/queue/orders?wait=true&autoAck=true&timeout=%d HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n"
            .formatted(Limits.WAIT_MS_MAX, token));
    return poll;
  }

  @Test
  void shouldRefuseBadTokensHoweverManyAndStillTakeGoodOnes() {
    for (int i = 0; i < 20; i++) {
      ask("GET", "/api/v1/whoami", null, "hf_bad").expect(401);
    }
    ask("GET", "/api/v1/whoami", null, admin()).expect(200);
    get("/api/v1/whoami").expect(401);
    ask("GET", "/health", null, "hf_bad").expect(200);
    String metrics = ask("GET", "/metrics", null, admin()).http().body();
    assertThat(metrics).contains("holdfast_bad_tokens_total 21.0");
  }

  @Test
  void shouldTellStrangersOnlyThatItIsWell() {
    assertThat(get("/health").expect(200).json())
        .isEqualTo(
            JSON.readTree(
                "{\"status\":\"healthy\",\"engine\":\"holdfast\",\"database\":\"connected\"}"));
    assertThat(ask("GET", "/health", null, admin()).json().propertyNames())
        .contains("version", "uptimeSeconds", "durability");
    get("/health/live").expect(200);
    get("/health/ready").expect(200);
    get("/openapi.json").expect(200);
    get("/docs").expect(200);
  }

  @Test
  void shouldTakeAnyHostNameButNoOtherOrigin() {
    Poll poll = Poll.connect(server.port());
    poll.send(
        "GET /api/v1/whoami HTTP/1.1\r\nHost: queue.example.com\r\nAuthorization: Bearer %s\r\n\r\n"
            .formatted(admin()));
    assertThat(answer(poll)).startsWith("HTTP/1.1 200").doesNotContain("Access-Control");
    poll.send(
        "GET /api/v1/whoami HTTP/1.1\r\nHost: queue.example.com\r\nOrigin: https://evil.example\r\nAuthorization: Bearer %s\r\n\r\n"
            .formatted(admin()));
    assertThat(answer(poll)).startsWith("HTTP/1.1 403");
    poll.close();
  }

  private static String answer(Poll poll) {
    try {
      return poll.answer();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldLetAWriteOnlyTokenCommitPushesAndNothingElse() {
    // given
    TokenFile.Made writer = make(Role.WRITE_ONLY, "*");
    untilKnown(writer.text());
    String push = "{'type':'push','queue':'orders','payload':1}";
    String record = "{'type':'putRecord','key':'k','value':1}";
    String queenPush = "{'type':'push','items':[{'queue':'orders','payload':1}]}";
    String queenAck = "{'type':'ack','transactionId':'t','partitionId':'1','status':'completed'}";
    // then
    ask("POST", "/api/v1/commit", "{'operations':[" + push + "]}", writer.text()).expect(200);
    ask("POST", "/api/v1/transaction", "{'operations':[" + queenPush + "]}", writer.text())
        .expect(200);
    Reply refused =
        ask("POST", "/api/v1/commit", "{'operations':[" + push + "," + record + "]}", writer.text())
            .expect(403);
    assertThat(refused.text("/error")).contains("operation 1 needs the access consume");
    ask(
            "POST",
            "/api/v1/transaction",
            "{'operations':[" + queenPush + "," + queenAck + "]}",
            writer.text())
        .expect(403);
    assertThat(broker.queue("orders").orThrow().counts().waiting()).isEqualTo(2);
  }

  @Test
  void shouldLetAWriteOnlyTokenStartFlowsOfItsOwnPrefix() {
    // given
    TokenFile.Made writer = make(Role.WRITE_ONLY, "flows*");
    TokenFile.Made other = make(Role.WRITE_ONLY, "orders");
    untilKnown(other.text());
    String start = "{'id':'f1','name':'order'}";
    // then
    ask("POST", "/api/v1/flows", start, other.text()).expect(403);
    ask("POST", "/api/v1/flows", start, writer.text()).expect(200);
    ask("GET", "/api/v1/flows/f1", null, writer.text()).expect(403);
    ask("GET", "/api/v1/flows/f1", null, admin()).expect(200);
  }

  @Test
  void shouldNotStartWithTokensThatCannotBeRead() throws Exception {
    server.close();
    Files.writeString(file().path(), "damaged");
    assertThatThrownBy(
            () -> HoldfastServer.start(super.config().tokens(file().path()), broker, clock))
        .isInstanceOf(TokensException.class)
        .hasMessageContaining("is damaged");
  }

  @Test
  void shouldStayOpenWithoutTokensAndSaySo() {
    server.close();
    broker = EmbeddedBroker.open(engine(), clock);
    server = HoldfastServer.start(super.config(), broker, clock);
    Reply who = get("/api/v1/whoami").expect(200);
    assertThat(who.flag("/authentication")).isFalse();
    assertThat(who.text("/id")).isEqualTo("local");
    assertThat(who.text("/role")).isEqualTo("admin");
    assertThat(get("/api/v1/tokens").expect(409).text("/error")).contains("--tokens");
    post("/api/v1/tokens", "{'role':'admin'}").expect(409);
  }
}
