package io.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.wire.Verbs;
import io.holdfast.engine.EngineConfig;
import io.holdfast.engine.seal.Keys;
import io.holdfast.server.ServerConfig;
import io.holdfast.server.ServerFixture;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What no role may do in a roundabout way that it may not do straight. */
class PowersTest extends ServerFixture {
  private String admin = "";
  private String worker = "";

  @Override
  protected EngineConfig engine() {
    return super.engine().keys(Keys.of(new byte[32]));
  }

  @Override
  protected ServerConfig config() {
    TokenFile file = new TokenFile(temp.resolve("tokens"));
    admin = token(file, Role.ADMIN);
    worker = token(file, Role.READ_WRITE);
    return super.config().tokens(file.path());
  }

  private String token(TokenFile file, Role role) {
    TokenWish wish = new TokenWish(role.word(), role, NamePatterns.of(List.of("*")), 0);
    return file.create(wish, clock.wallMs()).text();
  }

  private Reply as(String token, String path, String body) {
    return send(
        HttpRequest.newBuilder(uri(path))
            .POST(BodyPublishers.ofString(body.replace('\'', '"')))
            .header("Authorization", "Bearer " + token)
            .build());
  }

  @Test
  void shouldLetNobodyChangeTheRecordsOfTheServer() {
    for (String token : List.of(admin, worker)) {
      for (String operation :
          List.of(
              "{'type':'putRecord','key':'holdfast/maintenance','value':1}",
              "{'type':'putRecord','key':'holdfast/trace/0','value':1}",
              "{'type':'deleteRecord','key':'holdfast/maintenance'}")) {
        Reply refused =
            as(token, "/api/v1/commit", "{'operations':[" + operation + "]}").expect(403);
        assertThat(refused.text("/error")).contains("is the server's own");
      }
      as(token, "/api/v1/commit", "{'operations':[{'type':'putRecord','key':'h','value':1}]}")
          .expect(200);
    }
  }

  private UUID bury(String group) {
    broker.push(PushRequest.of(NewMessage.to("q", new byte[] {'1'}))).orThrow();
    Popped popped = broker.pop(PopRequest.queue("q").group(group)).orThrow();
    Delivery delivery = popped.messages().getFirst();
    broker.settle(SettleRequest.of(Settle.kill(delivery.handle(), "bad"))).orThrow();
    return delivery.message().id();
  }

  private int remove(String token, UUID id) {
    CommitRequest commit = CommitRequest.of(new Operation.RemoveDead("q", id, null));
    return send(HttpRequest.newBuilder(uri(Verbs.PATH + Verbs.COMMIT.name()))
            .POST(BodyPublishers.ofByteArray(Verbs.COMMIT.requestBytes(commit)))
            .header("Content-Type", Verbs.CONTENT_TYPE)
            .header("Authorization", "Bearer " + token)
            .build())
        .status();
  }

  @Test
  void shouldLetACommitOfAWorkerRemoveNoDeadLetters() {
    // given
    UUID id = bury("g");
    DeadLettersRequest all = DeadLettersRequest.of(DeadLetterFilter.queue("q"));
    // then
    assertThat(remove(worker, id)).isEqualTo(403);
    assertThat(broker.deadLetters(all).orThrow().total()).isEqualTo(1);
    assertThat(remove(admin, id)).isEqualTo(200);
    assertThat(broker.deadLetters(all).orThrow().total()).isZero();
    // and what stands in its place is another matter
    as(worker, "/api/v1/dlq/" + bury("g") + "/replay", "{'payload':2}").expect(200);
    assertThat(broker.deadLetters(all).orThrow().total()).isZero();
  }

  @Test
  void shouldLetOnlyAnAdministratorTurnEncryptionOff() {
    // given
    as(worker, "/api/v1/configure", "{'queue':'q','options':{'encryptionEnabled':true}}")
        .expect(200);
    // then
    for (String off :
        List.of(
            "'options':{'encryptionEnabled':false}",
            "'options':{'encryptionEnabled':null}",
            "'mode':'replace','options':{'leaseTime':30}")) {
      Reply refused = as(worker, "/api/v1/configure", "{'queue':'q'," + off + "}").expect(403);
      assertThat(refused.text("/error")).contains("to turn encryptionEnabled off", "admin");
      as(worker, "/api/v1/configure", "{'queue':'clear'," + off + "}").expect(200);
    }
    assertThat(broker.queue("q").orThrow().options().flag(QueueOption.ENCRYPTION)).isTrue();
    as(worker, "/api/v1/configure", "{'queue':'q','options':{'leaseTime':30}}").expect(200);
    as(
            worker,
            "/api/v1/configure",
            "{'queue':'q','mode':'replace','options':{'encryptionEnabled':true}}")
        .expect(200);
    as(admin, "/api/v1/configure", "{'queue':'q','mode':'replace'}").expect(200);
    assertThat(broker.queue("q").orThrow().options().flag(QueueOption.ENCRYPTION)).isFalse();
  }
}
