package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Popped.Reason;
import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.api.message.CancelRequest;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.MessageState;
import io.holdfast.api.queue.QueueOption;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The contract of delay: of a message or a queue, never early, and for as long as it takes. */
abstract class DelayContract extends ContractFixture {
  DelayContract(BrokerContract implementation) {
    super(implementation);
  }

  @Test
  void shouldDeliverADelayedMessageWhenItIsDueAndNotBefore() {
    // given
    UUID id = push(message("a").delayMs(5_000)).id();
    assertNothingToPop();
    // when
    advanceMs(4_999);
    // then
    assertNothingToPop();
    // when
    advanceMs(1);
    // then
    Delivery delivery = popOneSoon();
    assertThat(delivery.message().id()).isEqualTo(id);
    assertThat(delivery.message().createdMs()).isEqualTo(now() - 5_000);
    assertThat(delivery.message().visibleMs()).isEqualTo(now());
    assertStatus(ack(delivery), Status.ACKED);
  }

  @Test
  void shouldDeliverAtATime() {
    // given
    push(message("a").visibleAtMs(now() + 60_000));
    // when
    advanceMs(59_999);
    // then
    assertNothingToPop();
    // when
    advanceMs(1);
    // then
    assertThat(payload(popOneSoon())).isEqualTo("a");
  }

  @Test
  void shouldDeliverAtOnceWhatWasDueInThePast() {
    // given
    push(message("a").visibleAtMs(now() - 1));
    // then
    assertThat(payload(popOne())).isEqualTo("a");
  }

  @Test
  void shouldNotHoldUpOthers() {
    // given
    push(message("a").delayMs(5_000));
    push("b");
    // then
    assertThat(payload(popOne())).isEqualTo("b");
  }

  @Test
  void shouldEnterAtTheTailOfItsLaneWhenDue() {
    // given
    UUID id = push(message("delayed").delayMs(5_000)).id();
    push("before");
    // when
    advanceSeconds(5);
    pop(one().autoAck(true));
    eventually(() -> assertThat(state(id)).isEqualTo(MessageState.WAITING));
    push("after");
    // then
    assertThat(payloads(popAll())).containsExactly("delayed", "after");
  }

  @Test
  void shouldEnterItsOwnLaneAndPartition() {
    // given
    push(message("delayed").partition("p1").lane(3).delayMs(5_000));
    // when
    advanceSeconds(5);
    // then
    Delivery delivery = popSoon(PopRequest.partition(QUEUE, "p1")).messages().getFirst();
    assertThat(delivery.message().position().lane()).isEqualTo(3);
    assertThat(delivery.message().partition()).isEqualTo("p1");
  }

  @Test
  void shouldEnterInTheOrderInWhichTheyAreDue() {
    // given
    pushAll(
        message("third").delayMs(3_000),
        message("first").delayMs(1_000),
        message("second").delayMs(2_000));
    // when
    advanceSeconds(3);
    eventually(() -> assertThat(stats().delayed()).isZero());
    // then
    assertThat(payloads(popAll())).containsExactly("first", "second", "third");
  }

  @Test
  void shouldSurviveARestart() {
    // given
    push(message("a").delayMs(5_000));
    restart();
    // when
    advanceMs(4_999);
    // then
    assertNothingToPop();
    // when
    advanceMs(1);
    // then
    assertThat(payload(popOneSoon())).isEqualTo("a");
  }

  @Test
  void shouldWaitForYears() {
    // given
    long years = 10L * 365 * 24 * 3600;
    push(message("a").delayMs(years * 1_000));
    // when
    advanceSeconds(years - 1);
    restart();
    // then
    assertNothingToPop();
    // when
    advanceSeconds(1);
    // then
    assertThat(payload(popOneSoon())).isEqualTo("a");
  }

  @Test
  void shouldCountDelayedMessages() {
    // given
    push(message("a").delayMs(5_000));
    // then
    assertThat(stats().delayed()).isEqualTo(1);
    assertThat(broker.queue(QUEUE).orThrow().counts().delayed()).isEqualTo(1);
    advanceSeconds(5);
    eventually(() -> assertThat(stats().delayed()).isZero());
  }

  @Test
  void shouldReachEveryGroup() {
    // given
    push(message("a").delayMs(5_000));
    pop(one());
    pop(one().group("other"));
    // when
    advanceSeconds(5);
    // then
    assertThat(payloads(popSoon(one()))).containsExactly("a");
    assertThat(payloads(popSoon(one().group("other")))).containsExactly("a");
  }

  @Test
  void shouldNotBeMadeEarlyByAClockThatJumps() {
    // given
    push(message("a").delayMs(60_000));
    // when
    clock.jumpWall(Duration.ofHours(2));
    advanceSeconds(1);
    // then
    assertNothingToPop();
    // when
    clock.jumpWall(Duration.ofHours(-4));
    advanceSeconds(20);
    // then
    assertNothingToPop();
  }

  @Test
  void shouldComeThoughTheClockJumpedBack() {
    // given
    push(message("a").delayMs(60_000));
    // when
    clock.jumpWall(Duration.ofHours(-2));
    advanceSeconds(30 * 60);
    // then
    assertThat(payload(popOneSoon())).isEqualTo("a");
  }

  @Test
  void shouldNotBeMadeEarlyByARestartAfterTheClockJumpedBack() {
    // given
    push(message("a").delayMs(60_000));
    clock.jumpWall(Duration.ofHours(-2));
    // when
    restart();
    advanceSeconds(30);
    // then
    assertNothingToPop();
  }

  @Test
  void shouldHoldBackAllOfAQueueThatSaysSo() {
    // given
    configure(QueueOption.DELAYED_PROCESSING, 5);
    push("a");
    // when
    Popped early = pop(one());
    // then
    assertThat(early.messages()).isEmpty();
    assertThat(early.reason()).isEqualTo(Reason.DELAYED);
    assertThat(early.retryAtMs()).isEqualTo(now() + 5_000);
    // when
    advanceMs(4_999);
    // then
    assertThat(pop(one()).reason()).isEqualTo(Reason.DELAYED);
    // when
    advanceMs(1);
    // then
    assertThat(payload(popOneSoon())).isEqualTo("a");
  }

  @Test
  void shouldHoldBackEachMessageOfAQueueForItsOwnTime() {
    // given
    configure(QueueOption.DELAYED_PROCESSING, 5);
    push("a");
    advanceSeconds(3);
    push("b");
    // when
    advanceSeconds(2);
    // then
    Popped first = popSoon(many());
    assertThat(payloads(first)).containsExactly("a");
    ackAll(first);
    assertThat(pop(one()).reason()).isEqualTo(Reason.DELAYED);
    // when
    advanceSeconds(3);
    // then
    assertThat(payload(popOneSoon())).isEqualTo("b");
  }

  @Test
  void shouldNotSayToWaitForAMessageThatWasCancelled() {
    // given
    configure(QueueOption.DELAYED_PROCESSING, 5);
    pop(one());
    UUID first = push("a");
    advanceSeconds(3);
    push("b");
    // when
    broker.cancel(CancelRequest.of(MessageRef.id(first))).orThrow();
    // then
    Popped early = pop(one());
    assertThat(early.reason()).isEqualTo(Reason.DELAYED);
    assertThat(early.retryAtMs()).isEqualTo(now() + 5_000);
    // when
    advanceSeconds(5);
    // then
    assertThat(payload(popOneSoon())).isEqualTo("b");
  }

  @Test
  void shouldLetGoAtOnceWhenTheQueueNoLongerDelays() {
    // given
    configure(QueueOption.DELAYED_PROCESSING, 3_600);
    push("a");
    assertThat(pop(one()).reason()).isEqualTo(Reason.DELAYED);
    // when
    configure(QueueOption.DELAYED_PROCESSING, 0);
    // then
    assertThat(payload(popOne())).isEqualTo("a");
  }
}
