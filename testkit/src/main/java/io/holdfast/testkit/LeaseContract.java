package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Extended;
import io.holdfast.api.lease.LeaseInfo;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Popped.Reason;
import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.api.queue.QueueOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The contract of leases: how long they last, how they end, and what is remembered of them. */
abstract class LeaseContract extends ContractFixture {
  private static final long MINUTE_S = 60;

  LeaseContract(BrokerContract implementation) {
    super(implementation);
  }

  @Test
  void shouldLastAsLongAsThePopSays() {
    // given
    push("a");
    // then
    assertThat(pop(one().leaseMs(1_234)).leaseUntilMs()).isEqualTo(now() + 1_234);
  }

  @Test
  void shouldLastAsLongAsTheQueueSaysOtherwise() {
    // given
    configure(QueueOption.LEASE_TIME, 42);
    push("a");
    // then
    assertThat(pop(one()).leaseUntilMs()).isEqualTo(now() + 42_000);
  }

  @Test
  void shouldLastFiveMinutesByDefault() {
    // given
    push("a");
    // then
    assertThat(pop(one()).leaseUntilMs()).isEqualTo(now() + 300_000);
  }

  @Test
  void shouldTellOfALeaseThatLives() {
    // given
    pushAll("a", "b");
    Popped popped = pop(one().batch(2).worker("w1").leaseMs(5_000));
    // when
    LeaseInfo lease = broker.lease(popped.leaseId()).orThrow();
    // then
    assertThat(lease.state()).isEqualTo(LeaseInfo.State.LIVE);
    assertThat(lease.queue()).isEqualTo(QUEUE);
    assertThat(lease.worker()).isEqualTo("w1");
    assertThat(lease.untilMs()).isEqualTo(now() + 5_000);
    assertThat(lease.open()).isEqualTo(2);
  }

  @Test
  void shouldTellHowALeaseEnded() {
    // given
    makeShared();
    pushAll("a", "b");
    Popped settled = pop(one());
    Popped lost = pop(one().leaseMs(1_000));
    ack(settled.messages().getFirst());
    // when
    advanceSeconds(2);
    // then
    assertThat(broker.lease(settled.leaseId()).orThrow().state())
        .isEqualTo(LeaseInfo.State.SETTLED);
    assertThat(broker.lease(lost.leaseId()).orThrow().state()).isEqualTo(LeaseInfo.State.LOST);
    assertThat(broker.lease("AAAAAAAAAAE").refusal().code()).isEqualTo(ErrorCode.NOT_FOUND);
  }

  @Test
  void shouldHaveAnIdOfElevenUrlSafeCharacters() {
    // given
    makeShared();
    pushAll("a", "b");
    // when
    Popped first = pop(one());
    Popped second = pop(one());
    // then
    assertThat(first.leaseId()).matches("[A-Za-z0-9_-]{11}");
    assertThat(second.leaseId()).matches("[A-Za-z0-9_-]{11}").isNotEqualTo(first.leaseId());
    assertThat(first.messages()).extracting(Delivery::leaseId).containsOnly(first.leaseId());
  }

  @Test
  void shouldHoldUntilItsLastMoment() {
    // given
    push("a");
    Popped popped = pop(one().leaseMs(10_000));
    // when
    advanceMs(9_999);
    // then
    assertThat(pop(one()).reason()).isEqualTo(Reason.LOCKED);
    assertStatus(ackAll(popped), Status.ACKED);
  }

  @Test
  void shouldGiveBackWhatItHoldsWhenItExpires() {
    // given
    pushAll("a", "b", "c");
    Popped popped = pop(one().batch(2).leaseMs(10_000));
    // when
    advanceSeconds(10);
    // then: at the front, in order
    Popped again = popSoon(one().batch(10));
    assertThat(payloads(again)).containsExactly("a", "b", "c");
    assertThat(again.leaseId()).isNotEqualTo(popped.leaseId());
    assertThat(again.messages()).extracting(Delivery::attempt).containsExactly(2, 2, 1);
    assertThat(again.messages()).extracting(Delivery::failures).containsOnly(0);
  }

  @Test
  void shouldGiveBackOnlyWhatIsOpenWhenItExpires() {
    // given
    pushAll("a", "b", "c");
    Popped popped = pop(one().batch(3).leaseMs(10_000));
    ack(popped.messages().get(1));
    // when
    advanceSeconds(10);
    // then
    assertThat(payloads(popSoon(many()))).containsExactly("a", "c");
  }

  @Test
  void shouldExpireWithNobodyAsking() {
    // given
    push("a");
    pop(one().leaseMs(10_000));
    // when
    advanceSeconds(10);
    // then
    eventuallyNoLeases();
    assertThat(stats().totals().expired()).isEqualTo(1);
  }

  @Test
  void shouldLastLongerWhenExtended() {
    // given
    pushAll("a", "b");
    Popped popped = pop(one().batch(2).leaseMs(10_000));
    advanceSeconds(9);
    // when
    Extended extended = broker.extend(ExtendRequest.of(popped.leaseId(), 10_000)).orThrow();
    // then
    assertThat(extended.leaseUntilMs()).isEqualTo(now() + 10_000);
    assertThat(extended.open()).isEqualTo(2);
    assertThat(extended.cancelled()).isEmpty();
    // when
    advanceSeconds(9);
    // then
    assertThat(pop(one()).retryAtMs()).isEqualTo(extended.leaseUntilMs());
    assertStatus(ackAll(popped), Status.ACKED);
  }

  @Test
  void shouldNeverBeShortened() {
    // given
    push("a");
    Popped popped = pop(one().leaseMs(60_000));
    // when
    Extended extended = broker.extend(ExtendRequest.of(popped.leaseId(), 1_000)).orThrow();
    // then
    assertThat(extended.leaseUntilMs()).isEqualTo(popped.leaseUntilMs());
    advanceSeconds(59);
    assertThat(pop(one()).reason()).isEqualTo(Reason.LOCKED);
  }

  @Test
  void shouldNotBeExtendedOnceItExpired() {
    // given
    push("a");
    Popped popped = pop(one().leaseMs(10_000));
    advanceSeconds(10);
    eventuallyNoLeases();
    // then
    assertRefused(broker.extend(ExtendRequest.of(popped.leaseId(), 10_000)), ErrorCode.STALE_LEASE);
    assertThat(payload(popOne())).isEqualTo("a");
  }

  @Test
  void shouldNotBeExtendedIfNobodyKnowsIt() {
    assertRefused(broker.extend(ExtendRequest.of("AAAAAAAAAAA", 1_000)), ErrorCode.STALE_LEASE);
  }

  @Test
  void shouldEndWithItsLastSettle() {
    // given
    pushAll("a", "b", "c");
    Popped popped = pop(one().batch(2));
    // when
    ack(popped.messages().get(0));
    // then
    assertThat(pop(one()).reason()).isEqualTo(Reason.LOCKED);
    // when
    ack(popped.messages().get(1));
    // then
    assertThat(stats().leases()).isZero();
    assertRefused(broker.extend(ExtendRequest.of(popped.leaseId(), 1_000)), ErrorCode.STALE_LEASE);
    assertThat(payload(popOne())).isEqualTo("c");
  }

  @Test
  void shouldSurviveARestart() {
    // given
    pushAll("a", "b");
    Popped popped = pop(one());
    // when
    restart();
    // then
    Popped second = pop(one());
    assertThat(second.reason()).isEqualTo(Reason.LOCKED);
    assertThat(second.retryAtMs()).isEqualTo(popped.leaseUntilMs());
    assertStatus(ackAll(popped), Status.ACKED);
    assertThat(payload(popOne())).isEqualTo("b");
  }

  @Test
  void shouldExpireAfterARestart() {
    // given
    push("a");
    pop(one().leaseMs(10_000));
    restart();
    // when
    advanceSeconds(10);
    // then
    Delivery again = popOneSoon();
    assertThat(payload(again)).isEqualTo("a");
    assertThat(again.attempt()).isEqualTo(2);
  }

  @Test
  void shouldRememberWhatItSettledAfterItEnded() {
    // given
    push("a");
    Delivery delivery = popOne(one().leaseMs(1_000));
    ack(delivery);
    // when
    advanceSeconds(4 * MINUTE_S);
    restart();
    // then
    assertStatus(ack(delivery), Status.ALREADY_SETTLED);
  }

  @Test
  void shouldRememberALongLeaseForItsLength() {
    // given
    push("a");
    Delivery delivery = popOne(one().leaseMs(3_600_000));
    ack(delivery);
    // when
    advanceSeconds(50 * MINUTE_S);
    // then
    assertStatus(ack(delivery), Status.ALREADY_SETTLED);
  }

  @Test
  void shouldRememberWhatItSettledBeforeItExpired() {
    // given
    pushAll("a", "b");
    Popped popped = pop(one().batch(2).leaseMs(10_000));
    ack(popped.messages().get(0));
    // when
    advanceSeconds(10);
    eventuallyNoLeases();
    // then
    assertStatus(ack(popped.messages().get(0)), Status.ALREADY_SETTLED);
    assertStatus(ack(popped.messages().get(1)), Status.STALE_LEASE);
  }

  @Test
  void shouldSettleNothingOnceItIsForgotten() {
    // given
    pushAll("a", "b");
    Popped popped = pop(one().batch(2).leaseMs(1_000));
    ack(popped.messages().get(0));
    // when
    advanceSeconds(60 * MINUTE_S);
    eventuallyNoLeases();
    // then
    assertNotApplied(ack(popped.messages().get(0)));
    assertNotApplied(ack(popped.messages().get(1)));
    assertThat(payloads(popAll())).containsExactly("b");
  }

  @Test
  void shouldAnswerAWaitingExtendWhenItsTimeIsUp() {
    // given
    push("a");
    Popped popped = pop(one());
    CompletableFuture<Result<Extended>> waiting =
        waiting(() -> broker.extend(new ExtendRequest(popped.leaseId(), 60_000, 5_000)));
    // when: the extend may still be on its way, so time goes on until it is answered
    eventually(
        () -> {
          advanceSeconds(5);
          assertThat(waiting).isDone();
        });
    // then
    assertThat(answerOf(waiting).orThrow().open()).isEqualTo(1);
  }

  @Test
  void shouldAnswerAWaitingExtendWhenTheLeaseEnds() {
    // given
    push("a");
    Popped popped = pop(one());
    CompletableFuture<Result<Extended>> waiting =
        waiting(() -> broker.extend(new ExtendRequest(popped.leaseId(), 60_000, 600_000)));
    // when
    ackAll(popped);
    // then: with what is left of the lease, or with its end
    Result<Extended> answer = answerOf(waiting);
    if (answer.isOk()) {
      assertThat(answer.orThrow().open()).isZero();
    } else {
      assertRefused(answer, ErrorCode.STALE_LEASE);
    }
  }

  @Test
  void shouldNotBeMadeImmortalByAClockThatJumpsBack() {
    // given
    push("a");
    pop(one().leaseMs(30_000));
    // when
    clock.jumpWall(Duration.ofHours(-2));
    advanceSeconds(10 * MINUTE_S);
    // then
    assertThat(payload(popOneSoon())).isEqualTo("a");
  }

  @Test
  void shouldNotBeCutShortByAClockThatJumpsForward() {
    // given
    push("a");
    Popped popped = pop(one().leaseMs(60_000));
    // when
    clock.jumpWall(Duration.ofHours(2));
    advanceSeconds(1);
    // then
    assertThat(pop(one()).reason()).isEqualTo(Reason.LOCKED);
    assertStatus(ackAll(popped), Status.ACKED);
  }
}
