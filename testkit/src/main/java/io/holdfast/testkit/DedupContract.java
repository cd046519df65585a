package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The contract of names and request ids: what is said twice happens once. */
abstract class DedupContract extends ContractFixture {
  DedupContract(BrokerContract implementation) {
    super(implementation);
  }

  @Test
  void shouldStoreAMessageOfOneNameOnce() {
    // given
    PushedMessage first = push(named("t1"));
    // when
    PushedMessage second = push(message("another payload").transactionId("t1"));
    // then
    assertThat(first.duplicate()).isFalse();
    assertThat(second.duplicate()).isTrue();
    assertThat(second.id()).isEqualTo(first.id());
    assertThat(payloads(popAll())).containsExactly("t1");
    assertThat(stats().totals().duplicates()).isEqualTo(1);
  }

  @Test
  void shouldNotTakeMessagesWithoutANameForTheSame() {
    // given
    pushAll("a", "a");
    // then
    assertThat(payloads(popAll())).containsExactly("a", "a");
  }

  @Test
  void shouldKeepNamesPerPartition() {
    // given
    push(named("t1").partition("p1"));
    // then
    assertThat(push(named("t1").partition("p2")).duplicate()).isFalse();
    assertThat(push(named("t1").partition("p1").lane(4)).duplicate()).isTrue();
    assertThat(push(message("elsewhere", "x").partition("p1").transactionId("t1")).duplicate())
        .isFalse();
  }

  @Test
  void shouldSeeDuplicatesInOnePush() {
    // when
    Pushed pushed = broker.push(PushRequest.of(named("t1"), named("t2"), named("t1"))).orThrow();
    // then
    assertThat(pushed.messages())
        .extracting(PushedMessage::duplicate)
        .containsExactly(false, false, true);
    assertThat(pushed.messages().get(2).id()).isEqualTo(pushed.messages().get(0).id());
    assertThat(payloads(popAll())).containsExactly("t1", "t2");
  }

  @Test
  void shouldStoreTheOthersOfAPushWithADuplicate() {
    // given
    push(named("t1"));
    // when
    pushAll(named("t1"), named("t2"));
    // then
    assertThat(payloads(popAll())).containsExactly("t1", "t2");
  }

  @Test
  void shouldRememberANameAfterTheMessageIsAcked() {
    // given
    UUID id = push(named("t1")).id();
    ack(popOne());
    // when
    advanceSeconds(3_599);
    // then
    PushedMessage second = push(named("t1"));
    assertThat(second.duplicate()).isTrue();
    assertThat(second.id()).isEqualTo(id);
  }

  @Test
  void shouldRememberANameForItsWindowThoughTheMessageIsGone() {
    // given
    configure(
        ConfigureRequest.queue(QUEUE)
            .set(QueueOption.COMPLETED_RETENTION, 1)
            .set(QueueOption.DEDUP_WINDOW, 600));
    push(named("t1"));
    ack(popOne());
    // when
    advanceSeconds(599);
    restart();
    // then
    assertThat(push(named("t1")).duplicate()).isTrue();
  }

  @Test
  void shouldForgetANameWhenItsWindowIsOverAndTheMessageGone() {
    // given
    configure(
        ConfigureRequest.queue(QUEUE)
            .set(QueueOption.COMPLETED_RETENTION, 1)
            .set(QueueOption.DEDUP_WINDOW, 60));
    push(named("t1"));
    ack(popOne());
    // when
    advanceSeconds(120);
    // then
    eventually(() -> assertThat(push(named("t1")).duplicate()).isFalse());
    assertThat(payloads(popAll())).containsExactly("t1");
  }

  @Test
  void shouldRememberANameAsLongAsTheMessageIsStored() {
    // given
    configure(QueueOption.DEDUP_WINDOW, 60);
    UUID id = push(named("t1")).id();
    // when
    advanceSeconds(24 * 3_600);
    // then
    PushedMessage second = push(named("t1"));
    assertThat(second.duplicate()).isTrue();
    assertThat(second.id()).isEqualTo(id);
  }

  @Test
  void shouldKnowTheNameOfADelayedMessage() {
    // given
    push(named("t1").delayMs(5_000));
    // then
    assertThat(push(named("t1")).duplicate()).isTrue();
    advanceSeconds(5);
    assertThat(payloads(popSoon(many()))).containsExactly("t1");
    assertThat(push(named("t1")).duplicate()).isTrue();
  }

  @Test
  void shouldKnowNamesAfterARestart() {
    // given
    UUID id = push(named("t1")).id();
    // when
    restart();
    // then
    PushedMessage second = push(named("t1"));
    assertThat(second.duplicate()).isTrue();
    assertThat(second.id()).isEqualTo(id);
  }

  @Test
  void shouldTellApartLongAndStrangeNames() {
    // given
    String longest = "n".repeat(1_024);
    // then
    assertThat(push(named(longest)).duplicate()).isFalse();
    assertThat(push(named(longest.substring(1))).duplicate()).isFalse();
    assertThat(push(named("имя \"/\\ 名")).duplicate()).isFalse();
    assertThat(push(named(longest)).duplicate()).isTrue();
    assertThat(push(named("имя \"/\\ 名")).duplicate()).isTrue();
  }

  @Test
  void shouldAnswerARepeatedPushWithTheFirstResult() {
    // given
    PushRequest request = PushRequest.of(message("a"), message("b")).requestId("r1");
    Pushed first = broker.push(request).orThrow();
    // when
    Pushed second = broker.push(request).orThrow();
    // then
    assertThat(second).isEqualTo(first);
    assertThat(second.messages()).extracting(PushedMessage::duplicate).containsOnly(false);
    assertThat(payloads(popAll())).containsExactly("a", "b");
  }

  @Test
  void shouldAnswerARepeatedPushAfterARestart() {
    // given
    PushRequest request = PushRequest.of(message("a")).requestId("r1");
    Pushed first = broker.push(request).orThrow();
    ack(popOne());
    // when
    restart();
    // then
    assertThat(broker.push(request).orThrow()).isEqualTo(first);
    assertNothingToPop();
  }

  @Test
  void shouldTellRequestsApartByTheirIds() {
    // given
    broker.push(PushRequest.of(message("a")).requestId("r1")).orThrow();
    broker.push(PushRequest.of(message("a")).requestId("r2")).orThrow();
    // then
    assertThat(payloads(popAll())).containsExactly("a", "a");
  }

  @Test
  void shouldLetARefusedRequestBeRepeated() {
    // given
    configure(QueueOption.MAX_SIZE, 1);
    push("first");
    PushRequest request = PushRequest.of(message("a")).requestId("r1");
    assertRefused(broker.push(request), ErrorCode.FULL);
    ack(popOne());
    // when
    broker.push(request).orThrow();
    // then
    assertThat(payloads(popAll())).containsExactly("a");
  }
}
