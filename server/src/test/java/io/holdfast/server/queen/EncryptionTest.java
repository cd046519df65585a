package io.holdfast.server.queen;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.EngineConfig;
import io.holdfast.engine.seal.Keys;
import io.holdfast.server.MessagesFixture;
import org.junit.jupiter.api.Test;

/** Encrypted queues over HTTP, with their key and without. */
class EncryptionTest extends MessagesFixture {
  private Keys keys = Keys.of(new byte[32]);

  @Override
  protected EngineConfig engine() {
    return super.engine().keys(keys);
  }

  private void restartWithout() {
    keys = Keys.NONE;
    restart();
  }

  private static void expectKeyMissing(Reply reply) {
    assertThat(reply.expect(409).text("/code")).isEqualTo("KEY_MISSING");
    assertThat(reply.text("/error")).contains("key");
  }

  @Test
  void shouldSetTheOption() {
    assertThat(
            configure("q", "'encryptionEnabled':true")
                .expect(200)
                .flag("/options/encryptionEnabled"))
        .isTrue();
    assertThat(configure("q", "").expect(200).flag("/options/encryptionEnabled")).isTrue();
    assertThat(
            configure("q", "'encryptionEnabled':null")
                .expect(200)
                .flag("/options/encryptionEnabled"))
        .isFalse();
  }

  @Test
  void shouldDeliverPayloadsAsTheyWerePushed() {
    // given
    configure("q", "'encryptionEnabled':true").expect(200);
    push("q", "{'sum':12}");
    // when
    Reply popped = pop("q");
    // then
    assertThat(popped.number("/messages/0/data/sum")).isEqualTo(12);
    ackFirst(popped, ",'status':'completed'");
    expectNothing("q", "EMPTY");
  }

  @Test
  void shouldSayOfAMessageThatItIsEncrypted() {
    // given
    configure("q", "'encryptionEnabled':true").expect(200);
    push("q", "1");
    push("open", "2");
    // then
    Reply sealed = detail("q");
    assertThat(sealed.flag("/isEncrypted")).isTrue();
    assertThat(sealed.text("/keyId")).hasSize(8);
    assertThat(sealed.number("/payload")).isEqualTo(1);
    Reply open = detail("open");
    assertThat(open.flag("/isEncrypted")).isFalse();
    assertThat(open.json().at("/keyId").isNull()).isTrue();
  }

  private Reply detail(String queue) {
    Reply message = get("/api/v1/messages?queue=" + queue).expect(200);
    return get("/api/v1/messages/%s/%s"
            .formatted(message.text("/messages/0/partitionId"), message.text("/messages/0/id")))
        .expect(200);
  }

  @Test
  void shouldRefuseToEncryptWithoutAKey() {
    // given
    restartWithout();
    // when
    Reply refused = configure("q", "'encryptionEnabled':true");
    // then
    expectKeyMissing(refused);
    assertThat(refused.text("/error")).contains("holdfast key create").contains("--keys");
    assertThat(broker.queue("q").isOk()).isFalse();
  }

  @Test
  void shouldRefuseAndKeepWhatItHasNoKeyFor() {
    // given
    configure("q", "'encryptionEnabled':true").expect(200);
    push("q", "1");
    Reply dead = pop("q");
    ackFirst(dead, ",'status':'dlq','error':'no use'");
    push("q", "2");
    // when
    restartWithout();
    // then
    expectKeyMissing(get("/api/v1/pop/queue/q"));
    expectKeyMissing(get("/api/v1/pop/queue/q?wait=true&timeout=30000"));
    expectKeyMissing(get("/api/v1/pop/queue/q?autoAck=true"));
    expectKeyMissing(post("/api/v1/push", "{'items':[{'queue':'q','payload':3}]}"));
    expectKeyMissing(post("/queue/q/push", "{'item':3}"));
    expectKeyMissing(post("/queue/q/pop"));
    expectKeyMissing(
        post(
            "/api/v1/transaction",
            "{'operations':[{'type':'push','items':[{'queue':'q','payload':3}]}]}"));
    Reply detail = detail("q");
    assertThat(detail.json().at("/payload").isNull()).isTrue();
    assertThat(detail.text("/dataProblem")).contains("does not have");
    assertThat(detail.text("/explain")).contains("does not have");
    Reply letters = get("/api/v1/dlq?queue=q").expect(200);
    assertThat(letters.json().at("/messages/0/data").isNull()).isTrue();
    assertThat(letters.text("/messages/0/dataProblem")).contains(detail.text("/keyId"));
    assertThat(letters.text("/messages/0/errorMessage")).isEqualTo("no use");
    push("open", "4");
    assertThat(data(pop("open"))).isEqualTo("4");
    // when
    keys = Keys.of(new byte[32]);
    restart();
    // then
    assertThat(data(pop("q"))).isEqualTo("2");
  }

  /** They would lie in the clear. */
  @Test
  void shouldKeepNoNotesAboutEncryptedMessages() {
    // given
    configure("q", "'encryptionEnabled':true").expect(200);
    Reply pushed =
        post("/api/v1/push", "{'items':[{'queue':'q','transactionId':'t','payload':{'secret':1}}]}")
            .expect(201);
    String note =
        "{'transactionId':'t','partitionId':'" + pushed.text("/0/partition_id") + "','data':1}";
    // then
    assertThat(post("/api/v1/traces", note).expect(409).text("/error"))
        .contains("the messages of q are encrypted");
    configure("q", "'encryptionEnabled':false").expect(200);
    post("/api/v1/traces", note).expect(409);
  }
}
